/** The classes of points, a bit each for two and a byte for more. Those of taken points are 0 for every model, so that none counts as differing. */

/** The first bit that is set from the byte `from` on, before the byte `end`; −1 if there is none. */
export function firstSet(bits: usize, from: i32, end: i32): i32 {
  for (let j = from & ~15; j < end; j += 16) {
    if (!v128.any_true(v128.load(bits + <usize>j))) continue
    for (let k = max(from, j); k < min(end, j + 16); k++) {
      const own = <i32>load<u8>(bits + <usize>k)
      if (own !== 0) return 8 * k + ctz(own)
    }
  }
  return -1
}

/** Adds to `counts`, for each of some others, how many points it gives another class. `others`: where each begins; `from` on, so many bytes, of `bits` a point. */
export function countDiffering(own: usize, others: usize, count: i32, from: usize, bytes: i32, bits: i32, counts: usize): void {
  own += from
  for (let k = 0; k < count; k++, counts += 4) {
    const other = <usize>load<u32>(others + 4 * <usize>k) + from
    let differing = load<u32>(counts)
    if (bits === 1) differing += differingBits(own, other, bytes)
    else
      for (let j: usize = 0; j < <usize>bytes; j += 16)
        differing += popcnt(i8x16.bitmask(i8x16.ne(v128.load(own + j), v128.load(other + j))))
    store<u32>(counts, differing)
  }
}

/** By words: to count their bits is one instruction, and there is none for more of them at once. */
function differingBits(a: usize, b: usize, bytes: i32): u32 {
  let sum: u64 = 0
  for (let j: usize = 0; j < <usize>bytes; j += 32) {
    const first = popcnt(load<u64>(a + j) ^ load<u64>(b + j)) + popcnt(load<u64>(a + j, 8) ^ load<u64>(b + j, 8))
    const last = popcnt(load<u64>(a + j, 16) ^ load<u64>(b + j, 16)) + popcnt(load<u64>(a + j, 24) ^ load<u64>(b + j, 24))
    sum += first + last
  }
  return <u32>sum
}

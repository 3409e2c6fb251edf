/** The classes of points, a bit each for two and a byte for more. Those of taken points are 0 for every model, so that none counts as differing. */

/** In place of a cell: of points that may not be drawn, as in tally.ts. */
const nowhere: i16 = -1

/**
 * A bit for each point: whether its cell is one of the `count` of positive scores; 0 if it was taken. And in `doubtful` a bit for each point whose cell
 * is among the first `few` of either sign, so near to 0 that its class is not certain.
 */
export function classesOfCells(cells: usize, rows: i32, count: i32, few: i32, out: usize, doubtful: usize): void {
  const counts = i16x8.splat(<i16>count)
  const fews = i16x8.splat(<i16>few)
  for (let i = 0; i < rows; i += 8, cells += 16, out++, doubtful++) {
    const own = v128.load(cells)
    const isTaken = i16x8.eq(own, i16x8.splat(nowhere))
    const isPositive = v128.andnot(i16x8.ge_u(own, counts), isTaken)
    const isNear = v128.or(i16x8.lt_u(own, fews), i16x8.lt_u(i16x8.sub(own, counts), fews))
    const there = i + 8 <= rows ? 255 : (1 << (rows - i)) - 1
    store<u8>(out, <u8>(i16x8.bitmask(isPositive) & there))
    store<u8>(doubtful, <u8>(i16x8.bitmask(isNear) & there))
  }
}

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

function differingBits(a: usize, b: usize, bytes: i32): u32 {
  let sums = i32x4.splat(0)
  for (let j: usize = 0; j < <usize>bytes; j += 16) {
    const ones = i8x16.popcnt(v128.xor(v128.load(a + j), v128.load(b + j)))
    sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(ones)))
  }
  return i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3)
}

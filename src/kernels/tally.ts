/**
 * Scores in brief. The line of scores is cut into cells so narrow that whatever is computed from a score is a polynomial within
 * one; the sums of the powers of all scores in a cell then give the sum of anything. What a cell keeps, 64 bytes:
 *
 *   its number of points, Σδ, Σδ², …, Σδ⁵ (δ from −1 to 1 across the cell), and the smallest and largest |score|
 *
 * Sums are whole numbers, of 2⁻³⁶ each: they come out the same in whatever order threads add them.
 *
 * Positive and negative scores have cells of their own, the negative first. `table` says where to begin to look for the cell of a
 * score, by the leading bits of its size; `cells` has 32 bytes for each: where the next begins, the centre, 1 / half the width.
 */
const mantissaBits: u32 = 6 // that `table` goes by, after the exponent
const smallest: i32 = (1023 - 40) << mantissaBits
const buckets: i32 = 50 << mantissaBits

/** 1.5 · 2¹⁶: added to a number below 1 in size, it leaves that number in the lowest bits, in units of 2⁻³⁶. */
const magic: f64 = 98304
const unit: f64 = 1.4551915228366852e-11

/** Cells of points that may not be drawn. */
const nowhere: u16 = 0xffff

export function tally(
  scores: usize,
  taken: usize,
  rows: i32,
  table: usize,
  cells: usize,
  count: i32,
  moments: usize,
  out: usize,
): void {
  for (let start = 0; start < rows; start += 32) {
    const end = min(start + 32, rows)
    const word = load<u32>(taken + (<usize>start >> 3))
    for (let i = start; i < end; i++) {
      if (word && word & (1 << (i & 31))) store<u16>(out + 2 * i, nowhere)
      else store<u16>(out + 2 * i, tallyOne(scores + 8 * i, table, cells, count, moments))
    }
  }
}

/** Adds a score to its cell, and says which. No branches: nobody could predict them. */
function tallyOne(at: usize, table: usize, cells: usize, count: i32, moments: usize): u16 {
  const high = load<i32>(at, 4) // sign, exponent and the leading bits of the mantissa
  const bucket = ((high & 0x7fffffff) >> (20 - mantissaBits)) - smallest
  const size = abs(load<f64>(at))
  let cell = <usize>load<u16>(table + 2 * max(0, min(buckets - 1, bucket)))
  // At most two cells begin among scores that share their leading bits.
  cell += <usize>(size >= load<f64>(cells + 32 * cell))
  cell += <usize>(size >= load<f64>(cells + 32 * cell))
  const own = cells + 32 * cell
  const delta = (size - load<f64>(own, 8)) * load<f64>(own, 16)
  const index = cell + <usize>(count & ~(high >> 31))
  add(moments + 64 * index, delta, size)
  return <u16>index
}

function add(at: usize, delta: f64, size: f64): void {
  const all = f64x2.splat(delta)
  const square = f64x2.mul(all, all)
  const first = v128.shuffle<i64>(f64x2.splat(1), all, 0, 2) // 1, δ
  const second = f64x2.mul(first, square)
  const third = f64x2.mul(second, square)
  const whole = f64x2.splat(magic)
  v128.store(at, i64x2.add(v128.load(at), v128.shuffle<i64>(i64x2.splat(1), f64x2.add(first, whole), 0, 3)))
  v128.store(at, i64x2.add(v128.load(at, 16), f64x2.add(second, whole)), 16)
  v128.store(at, i64x2.add(v128.load(at, 32), f64x2.add(third, whole)), 32)
  // Both as something to make smaller: the least, and minus the largest.
  const ends = f64x2.mul(f64x2.splat(size), v128.shuffle<i64>(f64x2.splat(1), f64x2.splat(-1), 0, 2))
  v128.store(at, f64x2.pmin(v128.load(at, 48), ends), 48)
}

/** Empties the cells. */
export function clear(moments: usize, count: i32): void {
  for (let k = 0; k < count; k++) {
    const at = moments + 64 * <usize>k
    memory.fill(at, 0, 48)
    v128.store(at, f64x2.splat(Infinity), 48)
  }
}

/** into ← into + from */
export function merge(into: usize, from: usize, count: i32): void {
  for (let k = 0; k < count; k++) {
    const at = 64 * <usize>k
    for (let part: usize = 0; part < 48; part += 16)
      v128.store(into + at + part, i64x2.add(v128.load(into + at + part), v128.load(from + at + part)))
    v128.store(into + at, f64x2.pmin(v128.load(into + at, 48), v128.load(from + at, 48)), 48)
  }
}

/** Makes doubles of the whole numbers. */
export function finish(moments: usize, count: i32): void {
  const bits = reinterpret<i64>(magic) // every number added brought these along
  for (let k = 0; k < count; k++) {
    const at = moments + 64 * <usize>k
    const points = load<i64>(at)
    store<f64>(at, <f64>points)
    for (let power: usize = 8; power < 48; power += 8) store<f64>(at + power, <f64>(load<i64>(at + power) - points * bits) * unit)
  }
}

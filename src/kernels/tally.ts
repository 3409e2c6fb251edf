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
const smallestExponent: u64 = 1023 - 40
const perOctave: u32 = 6 // leading bits of the mantissa that `table` goes by
const octaves = 50

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
  const base = (smallestExponent << perOctave) as i64
  const last = <i64>(octaves << perOctave) - 1
  for (let i = 0; i < rows; i++) {
    if (load<u32>(taken + 4 * (<usize>i >> 5)) & (1 << (i & 31))) {
      store<u16>(out + 2 * i, nowhere)
      continue
    }
    const score = load<f64>(scores + 8 * i)
    const size = abs(score)
    const bucket = <i64>(reinterpret<u64>(size) >> (52 - perOctave)) - base
    let cell = <usize>load<u16>(table + 2 * <usize>max<i64>(0, min<i64>(last, bucket)))
    // At most two cells begin among scores that share their leading bits. No branches: nobody could predict them.
    cell += <usize>(size >= load<f64>(cells + 32 * cell))
    cell += <usize>(size >= load<f64>(cells + 32 * cell))
    const own = cells + 32 * cell
    const delta = (size - load<f64>(own, 8)) * load<f64>(own, 16)
    const index = score < 0 ? cell : cell + count
    store<u16>(out + 2 * i, <u16>index)
    add(moments + 64 * index, delta, size)
  }
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

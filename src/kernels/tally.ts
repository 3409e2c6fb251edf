import { shortBytes, shortDense, shortSparse } from './short'

/**
 * Scores in brief. The line of scores is cut into cells so narrow that whatever is computed from a score is a polynomial of degree 2
 * within one; the number of points in a cell, the sum of their places and that of the squares then give the sum of anything. What a
 * cell keeps, 32 bytes:
 *
 *   2⁴⁰ · number + Σr, Σr², the smallest and the largest |score| so far, the smallest and the largest that there can be
 *
 * Scores are kept as bits, with their sign. A place r is the distance from the smallest that there can be, as whole numbers, without its
 * last bits: 16 bits. Sums come out the same in whatever order threads add them, and fit for 2²⁴ points.
 *
 * `table` has the cell of the smallest score with each 15 leading bits; at most one cell begins after it among scores that share them.
 * `taken` has a bit for each point, and `out` gets the cell of each.
 */
const trailingBits: u32 = 17
const leftOutBits: u32 = 4
const one: u64 = 1 << 40

/** Cells of points that may not be drawn. */
const nowhere: u16 = 0xffff

/** Rows that are scored, then added up, while the features of the next are fetched. */
const narrow = 16
const wide = 32
const wideRow: usize = 256 // bytes

export function tallyDense(
  features: usize,
  rows: i32,
  columns: i32,
  weights: usize,
  doubles: usize,
  intercept: f64,
  scores: usize,
  taken: usize,
  table: usize,
  cells: usize,
  out: usize,
): void {
  const stride = <usize>(4 * columns)
  const block = stride < wideRow ? narrow : wide
  const end = features + <usize>rows * stride
  for (let start = 0; start < rows; start += block) {
    const count = min(block, rows - start)
    const at = features + <usize>start * stride
    shortDense(at, count, columns, weights, doubles, intercept, scores)
    if (stride >= wideRow) fetch(at + block * stride, min(end, at + 2 * block * stride), scores)
    add(scores, start, count, taken, table, cells, out)
  }
}

export function tallyBytes(
  features: usize,
  rows: i32,
  stride: i32,
  weights: usize,
  scale: f32,
  intercept: f32,
  scores: usize,
  taken: usize,
  table: usize,
  cells: usize,
  out: usize,
): void {
  for (let start = 0; start < rows; start += narrow) {
    const count = min(narrow, rows - start)
    shortBytes(features + <usize>start * <usize>stride, count, stride, weights, scale, intercept, scores)
    add(scores, start, count, taken, table, cells, out)
  }
}

export function tallySparse(
  starts: usize,
  indices: usize,
  values: usize,
  rows: i32,
  weights: usize,
  intercept: f64,
  scores: usize,
  taken: usize,
  table: usize,
  cells: usize,
  out: usize,
): void {
  for (let start = 0; start < rows; start += narrow) {
    const count = min(narrow, rows - start)
    shortSparse(starts + 4 * start, indices, values, count, weights, intercept, scores)
    add(scores, start, count, taken, table, cells, out)
  }
}

/** Asks memory for what comes next, so that it is on its way while cells are added up. */
function fetch(from: usize, to: usize, spare: usize): void {
  let sum: i32 = 0
  for (; from < to; from += 64) sum |= load<i32>(from)
  store<i32>(spare, sum, 4 * (wide + 4)) // or a compiler may see that nobody wants to know
}

/** Finds the cells of some scores, then adds them: so the one does not wait for the other. */
function add(scores: usize, first: i32, count: i32, taken: usize, table: usize, cells: usize, out: usize): void {
  const to = out + 2 * <usize>first
  for (let i = 0; i < count; i++) store<u16>(to + 2 * i, cellOf(load<u32>(scores + 4 * i), table, cells))
  const word = load<u32>(taken + (<usize>first >> 3))
  if (word === 0) for (let i = 0; i < count; i++) addOne(load<u32>(scores + 4 * i), cells + 32 * <usize>load<u16>(to + 2 * i))
  else
    for (let i = 0; i < count; i++)
      if (word & (1 << i)) store<u16>(to + 2 * i, nowhere)
      else addOne(load<u32>(scores + 4 * i), cells + 32 * <usize>load<u16>(to + 2 * i))
}

function cellOf(bits: u32, table: usize, cells: usize): u16 {
  const cell = load<u16>(table + 2 * <usize>(bits >> trailingBits))
  return cell + <u16>(bits > load<u32>(cells + 32 * <usize>cell, 28))
}

function addOne(bits: u32, at: usize): void {
  const place = <u64>((bits - load<u32>(at, 24)) >> leftOutBits)
  store<u64>(at, load<u64>(at) + (place + one))
  store<u64>(at, load<u64>(at, 8) + place * place, 8)
  if (bits < load<u32>(at, 16)) store<u32>(at, bits, 16)
  if (bits > load<u32>(at, 20)) store<u32>(at, bits, 20)
}

/** Empties the cells. */
export function clear(cells: usize, count: i32): void {
  for (let k = 0; k < count; k++) {
    const at = cells + 32 * <usize>k
    v128.store(at, i64x2.splat(0))
    store<u32>(at, 0xffffffff, 16)
    store<u32>(at, 0, 20)
  }
}

/** into ← into + from */
export function merge(into: usize, from: usize, count: i32): void {
  for (let k: usize = 0; k < <usize>count; k++) {
    const a = into + 32 * k
    const b = from + 32 * k
    v128.store(a, i64x2.add(v128.load(a), v128.load(b)))
    store<u32>(a, min(load<u32>(a, 16), load<u32>(b, 16)), 16)
    store<u32>(a, max(load<u32>(a, 20), load<u32>(b, 20)), 20)
  }
}

/** Writes of each cell that has points, in doubles: which it is, the number, Σr, Σr², the scores nearest to 0 and farthest. Returns how many. */
export function gather(cells: usize, count: i32, out: usize): i32 {
  let found = 0
  for (let k = 0; k < count; k++) {
    const at = cells + 32 * <usize>k
    const sum = load<u64>(at)
    if (sum === 0) continue
    const to = out + 48 * <usize>found
    store<f64>(to, <f64>k)
    store<f64>(to, <f64>(sum >> 40), 8)
    store<f64>(to, <f64>(sum & (one - 1)), 16)
    store<f64>(to, <f64>load<u64>(at, 8), 24)
    store<f64>(to, <f64>reinterpret<f32>(load<u32>(at, 16)), 32)
    store<f64>(to, <f64>reinterpret<f32>(load<u32>(at, 20)), 40)
    found++
  }
  return found
}

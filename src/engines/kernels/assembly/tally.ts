import { cellOf } from './cells'
import { exactScore, floatScoreBytes, floatScoreSparse, isDoubtful, isNarrow, scoreRows } from './float-score'

/**
 * Scores in brief. The line of scores is cut into cells so narrow that whatever is computed from a score is a polynomial of degree 2
 * within one; the number of points in a cell, the sum of their places and that of the squares then give the sum of anything. What a
 * cell keeps, 16 bytes:
 *
 *   2⁴⁰ · number + Σr, Σr²
 *
 * A place r is 16 bits of the score: the last 4 are left out, and those before them are the same throughout a cell. Sums come out the
 * same in whatever order threads add them, and fit for 2²⁴ points.
 *
 * `table` says which cell a score lies in, `taken` has a bit for each point, and `out` gets the cell of each. Where there are `signs`, they get a
 * bit for each class, and `unsure` one for each score so near to 0 that its class is not certain.
 */
const leftOutBits: u32 = 4
const places: u32 = 0xffff
const one: u64 = 1 << 40

/** In place of a cell: of points that may not be drawn. */
const nowhere: u16 = 0xffff

/** Scores are added up so many rows after they were made: so the ones are added up while the features of the others are on their way. */
const lag = 32

/** Where the score of a row is kept until then, and after it those of others of its four. */
function slot(scores: usize, row: i32): usize {
  return scores + 4 * <usize>(row & (2 * lag - 1))
}

/**
 * Machines fetch what comes next by themselves, but not all of them across pages: the beginning of each is asked for some pages ahead. So
 * many at most, and a sixteenth of all there is to read, as the first ones come unasked for.
 */
const page: usize = 4096
const mostAhead: usize = 16 * page

export function tallyDense(
  features: usize,
  rows: i32,
  columns: i32,
  weights: usize,
  intercept: f64,
  near: f32,
  scores: usize,
  doubtful: usize,
  taken: usize,
  table: usize,
  cells: usize,
  out: usize,
  doubt: f32,
  signs: usize,
  unsure: usize,
): void {
  if (isNarrow(columns))
    tallyRows(
      features,
      rows,
      columns,
      true,
      weights,
      intercept,
      near,
      scores,
      doubtful,
      taken,
      table,
      cells,
      out,
      doubt,
      signs,
      unsure,
    )
  else
    tallyRows(
      features,
      rows,
      columns,
      false,
      weights,
      intercept,
      near,
      scores,
      doubtful,
      taken,
      table,
      cells,
      out,
      doubt,
      signs,
      unsure,
    )
}

/** Stands twice in what is built, for narrow rows and for others: a loop that has room for both is slower. */
function tallyRows(
  features: usize,
  rows: i32,
  columns: i32,
  areNarrow: bool,
  weights: usize,
  intercept: f64,
  near: f32,
  scores: usize,
  doubtful: usize,
  taken: usize,
  table: usize,
  cells: usize,
  out: usize,
  doubt: f32,
  signs: usize,
  unsure: usize,
): void {
  store<i32>(doubtful, 0)
  const stride = <usize>(4 * columns)
  const bytes = <usize>rows * stride
  const ahead = min(bytes / 16, mostAhead)
  const end = stride * 4 <= page ? features + bytes - ahead : 0 // wider ones have enough on their way
  let asked: i32 = 0
  for (let i = 0; i < rows + lag; i += 4, features += 4 * stride) {
    if (i + 4 <= rows) scoreRows(features, stride, columns, areNarrow, weights, intercept, slot(scores, i))
    else
      for (let k = i; k < rows; k++)
        scoreRows(features + <usize>(k - i) * stride, 0, columns, areNarrow, weights, intercept, slot(scores, k))
    if (features % page < 4 * stride && features < end) asked |= load<i32>((features + ahead) & ~(page - 1))
    if (i >= lag) {
      add(slot(scores, i - lag), i - lag, rows, near, taken, doubtful, table, cells, out)
      if (signs && isLastOf16(i - lag, rows)) sign(scores, i - lag, rows, taken, doubt, signs, unsure)
    }
  }
  store<i32>(scores, asked, 4 * (2 * lag + 4)) // or the compiler drops the loads
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
  doubt: f32,
  signs: usize,
  unsure: usize,
): void {
  const step = <usize>stride
  for (let i = 0; i < rows + lag; i += 4, features += 4 * step) {
    if (i + 4 <= rows) floatScoreBytes(features, step, stride, weights, scale, intercept, slot(scores, i))
    else
      for (let k = i; k < rows; k++)
        floatScoreBytes(features + <usize>(k - i) * step, 0, stride, weights, scale, intercept, slot(scores, k))
    if (i >= lag) {
      add(slot(scores, i - lag), i - lag, rows, 0, taken, 0, table, cells, out)
      if (signs && isLastOf16(i - lag, rows)) sign(scores, i - lag, rows, taken, doubt, signs, unsure)
    }
  }
}

export function tallySparse(
  starts: usize,
  indices: usize,
  values: usize,
  rows: i32,
  weights: usize,
  doubles: usize,
  intercept: f64,
  near: f32,
  scores: usize,
  taken: usize,
  table: usize,
  cells: usize,
  out: usize,
  doubt: f32,
  signs: usize,
  unsure: usize,
): void {
  for (let i = 0; i < rows; i += 4) {
    for (let k = i; k < min(i + 4, rows); k++)
      floatScoreSparse(starts + 4 * k, indices, values, weights, doubles, intercept, near, slot(scores, k))
    add(slot(scores, i), i, rows, 0, taken, 0, table, cells, out)
    if (signs && isLastOf16(i, rows)) sign(scores, i, rows, taken, doubt, signs, unsure)
  }
}

/** Adds the scores of a row and the three after it, as far as there are so many, to their cells; doubtful ones are listed for `tallyDoubtful`. */
function add(
  scores: usize,
  row: i32,
  rows: i32,
  near: f32,
  taken: usize,
  doubtful: usize,
  table: usize,
  cells: usize,
  out: usize,
): void {
  const own = (<i32>load<u8>(taken + (<usize>row >> 3)) >> (row & 4)) & 15
  const to = out + 2 * <usize>row
  const areNear = v128.any_true(f32x4.lt(f32x4.abs(v128.load(scores)), f32x4.splat(near)))
  if (own === 0 && row + 4 <= rows && !areNear) addFour(scores, table, cells, to)
  else
    for (let k = 0; k < min(4, rows - row); k++)
      if (own & (1 << k)) store<u16>(to + 2 * k, nowhere)
      else if (isDoubtful(load<f32>(scores + 4 * k), near, table)) list(row + k, doubtful)
      else addOne(load<u32>(scores + 4 * k), table, cells, to + 2 * k)
}

/** Whether a row and the three after it are the last of sixteen, or of all. */
function isLastOf16(row: i32, rows: i32): bool {
  return (row & 12) === 12 || row + 4 >= rows
}

/**
 * Of a row, the three after it and the twelve before, a bit each in `signs` where the score is positive, 0 for what was taken; and one in `unsure` where
 * it is no farther from 0 than `doubt`. Of the last rows, as many as there are.
 */
function sign(scores: usize, row: i32, rows: i32, taken: usize, doubt: f32, signs: usize, unsure: usize): void {
  const first = row & ~15
  const from = slot(scores, first)
  const a = v128.load(from)
  const b = v128.load(from, 16)
  const c = v128.load(from, 32)
  const d = v128.load(from, 48)
  const at = <usize>first >> 3
  const all = first + 16 <= rows ? 0xffff : (1 << (rows - first)) - 1
  const there = all & ~(<i32>load<u16>(taken + at))
  store<u16>(signs + at, <u16>(~masked(a, b, c, d) & there))
  const nearest = f32x4.pmin(f32x4.pmin(f32x4.abs(a), f32x4.abs(b)), f32x4.pmin(f32x4.abs(c), f32x4.abs(d)))
  if (!v128.any_true(f32x4.le(nearest, f32x4.splat(doubt)))) return
  const bits = masked(isNear(a, doubt), isNear(b, doubt), isNear(c, doubt), isNear(d, doubt))
  store<u16>(unsure + at, <u16>(bits & there))
}

/** The leading bits of sixteen lanes. */
function masked(a: v128, b: v128, c: v128, d: v128): i32 {
  return i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d)))
}

function isNear(scores: v128, doubt: f32): v128 {
  return f32x4.le(f32x4.abs(scores), f32x4.splat(doubt))
}

/** Adds the doubtful points, with scores in doubles: few, and the loop over all is quicker if this is no part of it. */
export function tallyDoubtful(
  features: usize,
  columns: i32,
  doubles: usize,
  intercept: f64,
  doubtful: usize,
  table: usize,
  cells: usize,
  out: usize,
): void {
  const stride = <usize>(4 * columns)
  for (let at = doubtful + 4, end = at + 4 * <usize>load<i32>(doubtful); at < end; at += 4) {
    const row = <usize>load<i32>(at)
    addOne(reinterpret<u32>(exactScore(features + stride * row, columns, doubles, intercept)), table, cells, out + 2 * row)
  }
}

/** `rows` has how many there are, and then the rows. */
function list(row: i32, rows: usize): void {
  const count = load<i32>(rows) + 1
  store<i32>(rows, count)
  store<i32>(rows + 4 * <usize>count, row)
}

function addFour(scores: usize, table: usize, cells: usize, to: usize): void {
  const own = v128.and(i32x4.shr_u(v128.load(scores), leftOutBits), i32x4.splat(places))
  const sumsAB = i64x2.add(i64x2.extend_low_i32x4_u(own), i64x2.splat(one))
  const sumsCD = i64x2.add(i64x2.extend_high_i32x4_u(own), i64x2.splat(one))
  const squaresAB = i64x2.extmul_low_i32x4_u(own, own)
  const squaresCD = i64x2.extmul_high_i32x4_u(own, own)
  put(load<u32>(scores), v128.shuffle<i64>(sumsAB, squaresAB, 0, 2), table, cells, to)
  put(load<u32>(scores, 4), v128.shuffle<i64>(sumsAB, squaresAB, 1, 3), table, cells, to + 2)
  put(load<u32>(scores, 8), v128.shuffle<i64>(sumsCD, squaresCD, 0, 2), table, cells, to + 4)
  put(load<u32>(scores, 12), v128.shuffle<i64>(sumsCD, squaresCD, 1, 3), table, cells, to + 6)
}

function addOne(bits: u32, table: usize, cells: usize, to: usize): void {
  const place = <u64>((bits >> leftOutBits) & places)
  put(bits, i64x2(<i64>(place + one), <i64>(place * place)), table, cells, to)
}

function put(bits: u32, numbers: v128, table: usize, cells: usize, to: usize): void {
  const cell = cellOf(bits, table)
  store<u16>(to, <u16>cell)
  const at = cells + 16 * <usize>cell
  v128.store(at, i64x2.add(v128.load(at), numbers))
}

/** Takes one point out again, whose score is at `scores` and whose cell at `out`, so that the cells are as if it had never been added. */
export function withdraw(scores: usize, table: usize, cells: usize, out: usize): void {
  const bits = load<u32>(scores)
  const place = <u64>((bits >> leftOutBits) & places)
  put(bits, i64x2(-(<i64>(place + one)), -(<i64>(place * place))), table, cells, out)
  store<u16>(out, nowhere)
}

/** Empties the cells. */
export function clear(cells: usize, count: i32): void {
  memory.fill(cells, 0, 16 * <usize>count)
}

/** into ← into + from */
export function merge(into: usize, from: usize, count: i32): void {
  for (let k: usize = 0; k < 16 * <usize>count; k += 16) v128.store(into + k, i64x2.add(v128.load(into + k), v128.load(from + k)))
}

/** Writes of each cell that has points, in doubles: which it is, the number, Σr, Σr². Returns how many. */
export function gather(cells: usize, count: i32, out: usize): i32 {
  let found = 0
  for (let k = 0; k < count; k++) {
    const at = cells + 16 * <usize>k
    const sum = load<u64>(at)
    if (sum === 0) continue
    const to = out + 32 * <usize>found
    store<f64>(to, <f64>k)
    store<f64>(to, <f64>(sum >> 40), 8)
    store<f64>(to, <f64>(sum & (one - 1)), 16)
    store<f64>(to, <f64>load<u64>(at, 8), 24)
    found++
  }
  return found
}

import { shortBytes, shortDense, shortSparse } from './short'

/**
 * Scores in brief. The line of scores is cut into cells so block that whatever is computed from a score is a polynomial of degree 2
 * within one; the number of points in a cell, the sum of their places and that of the squares then give the sum of anything. What a
 * cell keeps, 16 bytes:
 *
 *   2⁴⁰ · number + Σr, Σr²
 *
 * A place r is 16 bits of the score: the last 4 are left out, and those before them are the same throughout a cell. Sums come out the
 * same in whatever order threads add them, and fit for 2²⁴ points.
 *
 * `table` goes by the leading 15 bits of a score. An entry plus the trailing bits has the cell in front: where another cell begins
 * among scores that share their leading bits, the sum carries over into it. `taken` has a bit for each point, and `out` gets the cell
 * of each.
 */
const trailingBits: u32 = 17
const trailing: u32 = (1 << trailingBits) - 1
const leftOutBits: u32 = 4
const places: u32 = 0xffff
const one: u64 = 1 << 40

/** Cells of points that may not be drawn. */
const nowhere: u16 = 0xffff

/** Rows that are scored, then added up: as many as a word of `taken` has bits. */
const block = 64

/** Machines fetch what comes next by themselves, but not across pages: the beginning of each is asked for so many bytes ahead. */
const page: usize = 4096
const ahead: usize = 2 * page

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
  const end = features + <usize>rows * stride
  for (let start = 0; start < rows; start += block) {
    const count = min(block, rows - start)
    const at = features + <usize>start * stride
    shortDense(at, count, columns, weights, doubles, intercept, scores)
    touch(at + ahead, min(end, at + ahead + <usize>block * stride), scores)
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
  for (let start = 0; start < rows; start += block) {
    const count = min(block, rows - start)
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
  for (let start = 0; start < rows; start += block) {
    const count = min(block, rows - start)
    shortSparse(starts + 4 * start, indices, values, count, weights, intercept, scores)
    add(scores, start, count, taken, table, cells, out)
  }
}

/** Asks for the first bytes of every page that begins here. */
function touch(from: usize, to: usize, spare: usize): void {
  let all: i32 = 0
  for (from = (from + page - 1) & ~(page - 1); from < to; from += page) all |= load<i32>(from)
  store<i32>(spare, all, 4 * (block + 4)) // or a compiler may see that nobody wants to know
}

/** Adds a block of scores to their cells, four at a time where all four may be drawn. */
function add(scores: usize, first: i32, count: i32, taken: usize, table: usize, cells: usize, out: usize): void {
  const end = scores + 4 * <usize>count
  let word = load<u64>(taken + (<usize>first >> 3))
  for (let to = out + 2 * <usize>first; scores < end; scores += 16, to += 8, word >>= 4) {
    if (word & 15 || scores + 16 > end) {
      for (let k: usize = 0; k < min<usize>(4, (end - scores) >> 2); k++)
        if (word & (1 << k)) store<u16>(to + 2 * k, nowhere)
        else addOne(load<u32>(scores + 4 * k), table, cells, to + 2 * k)
    } else addFour(scores, table, cells, to)
  }
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
  const cell = (load<u32>(table + 4 * <usize>(bits >> trailingBits)) + (bits & trailing)) >> trailingBits
  store<u16>(to, <u16>cell)
  const at = cells + 16 * <usize>cell
  v128.store(at, i64x2.add(v128.load(at), numbers))
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

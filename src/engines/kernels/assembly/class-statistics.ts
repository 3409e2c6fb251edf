import { dotsOfNear, floatBytes } from './float-score'
import { exp, exp4, log, logPlusOne4 } from './functions'
import { fma, fma4 } from './lanes'
import { dotsOfTwo } from './score'
import { bytesOfFour, entropyAt, marginAt, rootMeanSquareAt, variationAt, worstAt, wrongAt } from './statistics-layout'

/** What K scores say of a point, read as softmax does:  Pₖ = exp(zₖ) / Σ exp(zⱼ),  ℓₖ = −log Pₖ.  See src/engines/kernels/assembly/statistics-layout.ts for what is kept. */

/**
 * The class that is likeliest, a byte for each point at `labels`, unless that is 0; `unsure` where it is ahead by no more than `doubt`.
 */
const unsure: i32 = 255

/** From scores in doubles, one point after another; `work` has room for 16 bytes a class. */
export function statistics(scores: usize, rows: i32, classes: i32, doubt: f64, work: usize, labels: usize, out: usize): void {
  const width = <usize>(8 * classes)
  for (let i = 0; i < rows; i += 2) {
    const a = scores + <usize>i * width
    const own = labels === 0 ? 0 : labels + <usize>i
    statisticsOfTwo(
      a,
      i + 1 < rows ? a + width : a,
      width,
      doubt,
      work,
      own,
      out + <usize>(i >> 2) * bytesOfFour + 4 * <usize>(i & 2),
    )
  }
}

/**
 * From features, by scores in floats; where those of two classes are within `near` of each other, in doubles: ranks go by the first digits of how far the one is
 * ahead. Weights as for `floatScoreDense`, class after class; `work` has room for 48 bytes a class.
 */
export function statisticsDense(
  features: usize,
  rows: i32,
  columns: i32,
  weights: usize,
  doubles: usize,
  intercepts: usize,
  classes: i32,
  near: f32,
  doubt: f64,
  work: usize,
  labels: usize,
  out: usize,
): void {
  const stride = <usize>(4 * columns)
  const apart = floatBytes(columns)
  const end = <usize>(16 * classes)
  for (let i = 0; i < rows; i += 4, features += 4 * stride, out += bytesOfFour) {
    const isWhole = i + 4 <= rows
    if (isWhole) {
      let own = weights
      for (let k: usize = 0; k < end; k += 16, own += apart)
        v128.store(
          work + k,
          f32x4.add(dotsOfNear<f32>(features, stride, apart, own), f32x4.splat(<f32>load<f64>(intercepts + (k >> 1)))),
        )
    }
    const own = labels === 0 ? 0 : labels + <usize>i
    if (isWhole && statisticsOfFour(work, end, near, <f32>doubt, work + end, own, out)) continue
    const two = work + 2 * end
    for (let k = 0; k < min(4, rows - i); k += 2) {
      const a = features + <usize>k * stride
      dotsOfTwo(a, i + k + 1 < rows ? a + stride : a, columns, doubles, intercepts, classes, work)
      statisticsOfTwo(work, work + (end >> 1), end >> 1, doubt, two, own === 0 ? 0 : own + <usize>k, out + 4 * <usize>k)
    }
  }
}

/** From the scores of four points, class after class. Does nothing where the first two classes are too near to each other, and says so. */
function statisticsOfFour(scores: usize, end: usize, near: f32, doubt: f32, work: usize, labels: usize, out: usize): bool {
  let most = v128.load(scores)
  let label = i32x4.splat(0)
  let least = most
  let next = f32x4.splat(-Infinity)
  for (let k: usize = 16; k < end; k += 16) {
    const score = v128.load(scores + k)
    next = f32x4.pmax(next, f32x4.pmin(most, score))
    label = v128.bitselect(i32x4.splat(<i32>(k >> 4)), label, f32x4.gt(score, most))
    most = f32x4.pmax(most, score)
    least = f32x4.pmin(least, score)
  }
  if (v128.any_true(f32x4.lt(f32x4.sub(most, next), f32x4.splat(near)))) return false
  // In units of the likeliest class, whose own is 1. Each of the others is the smaller of two just once.
  let first = f32x4.splat(0)
  let second = f32x4.splat(0)
  let others = f32x4.splat(0)
  let squares = f32x4.splat(0)
  for (let k: usize = 0; k < end; k += 16) {
    const power = exp4(f32x4.sub(v128.load(scores + k), most))
    v128.store(work + k, power)
    const smaller = f32x4.pmin(first, power)
    first = f32x4.pmax(first, power)
    second = f32x4.pmax(second, smaller)
    others = f32x4.add(others, smaller)
    squares = fma4(smaller, smaller, squares)
  }
  const leastLoss = logPlusOne4(others)
  const share = f32x4.div(f32x4.splat(1), f32x4.add(others, f32x4.splat(1)))
  let entropy = f32x4.splat(0)
  let square = f32x4.splat(0)
  for (let k: usize = 0; k < end; k += 16) {
    const loss = f32x4.add(f32x4.sub(most, v128.load(scores + k)), leastLoss)
    const expected = f32x4.mul(f32x4.mul(v128.load(work + k), share), loss)
    entropy = f32x4.add(entropy, expected)
    square = fma4(expected, loss, square)
  }
  const wrong = f32x4.mul(others, share)
  // 1 − Σ Pₖ² = (1 − P)(1 + P) − Σ of the other squares
  const unequal = f32x4.sub(f32x4.mul(wrong, f32x4.add(share, f32x4.splat(1))), f32x4.mul(squares, f32x4.mul(share, share)))
  v128.store(out, entropy, entropyAt)
  v128.store(out, f32x4.add(f32x4.sub(most, least), leastLoss), worstAt)
  v128.store(out, wrong, wrongAt)
  const margin = f32x4.mul(f32x4.sub(f32x4.splat(1), second), share)
  v128.store(out, margin, marginAt)
  v128.store(out, f32x4.sqrt(square), rootMeanSquareAt)
  v128.store(out, f32x4.mul(unequal, f32x4.splat(16 / <f32>end)), variationAt)
  if (labels !== 0) {
    const own = v128.bitselect(i32x4.splat(unsure), label, f32x4.le(margin, f32x4.splat(doubt)))
    const packed = v128.shuffle<i8>(own, own, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12)
    store<i32>(labels, i32x4.extract_lane(packed, 0))
  }
  return true
}

/** From the scores of two points in doubles. */
function statisticsOfTwo(a: usize, b: usize, width: usize, doubt: f64, work: usize, labels: usize, out: usize): void {
  let label = i64x2.splat(0)
  let most = f64x2.splat(-Infinity)
  let least = f64x2.splat(Infinity)
  for (let k: usize = 0; k < width; k += 8) {
    const score = pair(a + k, b + k)
    v128.store(work + 2 * k, score)
    label = v128.bitselect(i64x2.splat(<i64>(k >> 3)), label, f64x2.gt(score, most))
    most = f64x2.pmax(most, score)
    least = f64x2.pmin(least, score)
  }
  let sum = f64x2.splat(0)
  for (let k: usize = 0; k < width; k += 8) {
    const power = exp(f64x2.sub(v128.load(work + 2 * k), most))
    v128.store(work + 2 * k, power)
    sum = f64x2.add(sum, power)
  }
  const total = f64x2.add(most, log(sum))
  const share = f64x2.div(f64x2.splat(1), sum)
  let entropy = f64x2.splat(0)
  let square = f64x2.splat(0)
  let first = f64x2.splat(0)
  let second = f64x2.splat(0)
  let others = f64x2.splat(0)
  let squares = f64x2.splat(0)
  for (let k: usize = 0; k < width; k += 8) {
    const loss = f64x2.sub(total, pair(a + k, b + k))
    const p = f64x2.mul(v128.load(work + 2 * k), share)
    const smaller = f64x2.pmin(first, p)
    entropy = fma(p, loss, entropy)
    square = fma(f64x2.mul(p, loss), loss, square)
    second = f64x2.pmax(second, smaller)
    others = f64x2.add(others, smaller)
    squares = fma(smaller, smaller, squares)
    first = f64x2.pmax(first, p)
  }
  const unequal = f64x2.sub(f64x2.mul(others, f64x2.add(first, f64x2.splat(1))), squares)
  put(out + entropyAt, entropy)
  put(out + worstAt, f64x2.sub(total, least))
  put(out + wrongAt, others)
  const margin = f64x2.sub(first, second)
  put(out + marginAt, margin)
  if (labels !== 0) {
    const own = v128.bitselect(i64x2.splat(unsure), label, f64x2.le(margin, f64x2.splat(doubt)))
    store<u8>(labels, <u8>i64x2.extract_lane(own, 0))
    store<u8>(labels, <u8>i64x2.extract_lane(own, 1), 1)
  }
  put(out + rootMeanSquareAt, f64x2.sqrt(square))
  put(out + variationAt, f64x2.mul(unequal, f64x2.splat(8 / <f64>width)))
}

function pair(a: usize, b: usize): v128 {
  return f64x2.replace_lane(f64x2.splat(load<f64>(a)), 1, load<f64>(b))
}

/** Two doubles as floats. */
function put(at: usize, numbers: v128): void {
  v128.store64_lane(at, f32x4.demote_f64x2_zero(numbers), 0)
}

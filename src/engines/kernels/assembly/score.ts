import { fma, twoFloats } from './lanes'

/** Scores of rows:  z = x·w + b,  for each of some rows of weights. Features are read once, in order; sums are in doubles. */

/** Features as 32-bit floats, row by row; out[i·K + k], with room for an even number of rows. */
export function scoreDense(
  features: usize,
  rows: i32,
  columns: i32,
  weights: usize,
  intercepts: usize,
  count: i32,
  out: usize,
): void {
  const stride = <usize>(4 * columns)
  for (let i = 0; i < rows; i += 2) {
    const a = features + <usize>i * stride
    const b = i + 1 < rows ? a + stride : a // the last of an odd number goes with itself
    dotsOfTwo(a, b, columns, weights, intercepts, count, out + <usize>(8 * i) * <usize>count)
  }
}

/** The scores of two rows, one after the other. */
export function dotsOfTwo(a: usize, b: usize, columns: i32, weights: usize, intercepts: usize, count: i32, out: usize): void {
  for (let k = 0; k < count; k++, out += 8) {
    const both = twoDots(a, b, weights + <usize>k * <usize>(8 * columns), columns)
    const scores = f64x2.add(both, v128.load64_splat(intercepts + 8 * k))
    v128.store64_lane(out, scores, 0)
    v128.store64_lane(out + 8 * count, scores, 1)
  }
}

/** Two rows at a time, so that a weight is fetched once for both; four columns, so that sums need not wait for each other. */
export function twoDots(a: usize, b: usize, weights: usize, columns: i32): v128 {
  let a0 = f64x2.splat(0)
  let a1 = f64x2.splat(0)
  let b0 = f64x2.splat(0)
  let b1 = f64x2.splat(0)
  let j: usize = 0
  for (const most = <usize>(columns & ~3); j < most; j += 4) {
    const w0 = v128.load(weights + 8 * j)
    const w1 = v128.load(weights + 8 * j, 16)
    a0 = fma(twoFloats(a + 4 * j), w0, a0)
    a1 = fma(twoFloats(a + 4 * j + 8), w1, a1)
    b0 = fma(twoFloats(b + 4 * j), w0, b0)
    b1 = fma(twoFloats(b + 4 * j + 8), w1, b1)
  }
  a0 = f64x2.add(a0, a1)
  b0 = f64x2.add(b0, b1)
  let sums = f64x2.add(v128.shuffle<i64>(a0, b0, 0, 2), v128.shuffle<i64>(a0, b0, 1, 3))
  for (; j < <usize>columns; j++) {
    const x = f64x2.replace_lane(f64x2.splat(<f64>load<f32>(a + 4 * j)), 1, <f64>load<f32>(b + 4 * j))
    sums = fma(x, v128.load64_splat(weights + 8 * j), sums)
  }
  return sums
}

/**
 * Features as bytes, `stride` (a multiple of 8) a row, weights as 16-bit whole numbers: whole-number sums, so every machine finds
 * the same. The score is the sum times `scales[k]`, plus the intercept.
 */
export function scoreBytes(
  features: usize,
  rows: i32,
  stride: i32,
  weights: usize,
  scales: usize,
  intercepts: usize,
  count: i32,
  out: usize,
): void {
  for (let i = 0; i < rows; i++) {
    const a = features + <usize>i * <usize>stride
    for (let k = 0; k < count; k++) {
      const own = weights + <usize>k * <usize>(2 * stride)
      let sum = i32x4.splat(0)
      for (let j: usize = 0; j < <usize>stride; j += 8)
        sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load_ext<i8>(a + j), v128.load(own + 2 * j)))
      const pairs = i32x4.add(sum, i32x4.shuffle(sum, sum, 2, 3, 0, 1))
      const total = i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1)
      const score = <f64>total * load<f64>(scales + 8 * k) + load<f64>(intercepts + 8 * k)
      store<f64>(out + 8 * (<usize>i * count + k), score)
    }
  }
}

/** Features with the zeros left out: row i holds entries starts[i] … starts[i + 1] − 1. Weights lie column by column, those of the classes side by side. */
export function scoreSparse(
  starts: usize,
  indices: usize,
  values: usize,
  rows: i32,
  weights: usize,
  intercepts: usize,
  count: i32,
  out: usize,
): void {
  if (count === 1) {
    for (let i = 0; i < rows; i++)
      store<f64>(out + 8 * i, sparseDot<f64>(starts + 4 * i, indices, values, weights, load<f64>(intercepts)))
    return
  }
  const width = <usize>(8 * count)
  for (let i = 0; i < rows; i++) {
    const own = out + <usize>i * width
    memory.copy(own, intercepts, width)
    const end = <usize>load<u32>(starts + 4 * i, 4)
    for (let at = <usize>load<u32>(starts + 4 * i); at < end; at++) {
      const x = <f64>load<f32>(values + 4 * at)
      const from = weights + <usize>load<u32>(indices + 4 * at) * width
      const both = f64x2.splat(x)
      let k: usize = 0
      for (; k + 16 <= width; k += 16) v128.store(own + k, fma(both, v128.load(from + k), v128.load(own + k)))
      if (k < width) store<f64>(own + k, load<f64>(own + k) + x * load<f64>(from + k))
    }
  }
}

/**
 * One row times the weights, plus the intercept; products are of the type of the weights, and sums doubles. `start` has where its entries
 * begin, and after that where they end.
 */
export function sparseDot<Weight>(start: usize, indices: usize, values: usize, weights: usize, intercept: f64): f64 {
  let at = <usize>load<u32>(start)
  const end = <usize>load<u32>(start, 4)
  let a = intercept
  let b: f64 = 0
  for (; at + 2 <= end; at += 2) {
    a += sparseProduct<Weight>(at, indices, values, weights)
    b += sparseProduct<Weight>(at + 1, indices, values, weights)
  }
  if (at < end) a += sparseProduct<Weight>(at, indices, values, weights)
  return a + b
}

function sparseProduct<Weight>(at: usize, indices: usize, values: usize, weights: usize): f64 {
  const weight = load<Weight>(weights + sizeof<Weight>() * <usize>load<u32>(indices + 4 * at))
  return <f64>(<Weight>load<f32>(values + 4 * at) * weight)
}

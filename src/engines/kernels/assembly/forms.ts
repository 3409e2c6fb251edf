import { fma } from './lanes'
import { maskOf, massesOf, openOf } from './masses'
import { bytesOfFour, variationAt } from './statistics-layout'

/**
 * Squares of rows of 32-bit floats, each with a 1 at its end and, if that makes an odd number, a 0: so many are a row's `width`. Four rows at a time, in
 * doubles. `work` has room for eight rows.
 */

/**
 * What a label of each point would remove of the variance, v·x·Bx / (1 + v·x·Hx), squared, in place of v, the last of its statistics. `matrices`: B and
 * then H, row by row, with twice the entries on the left of the diagonal and none on its right.
 */
export function removeVariance(features: usize, rows: i32, columns: i32, matrices: usize, work: usize, points: usize): void {
  const stride = <usize>(4 * columns)
  const width = widthOf(columns)
  const apart: usize = 8 * width
  const other: usize = width * apart
  for (let i = 0; i < rows; i += 4, features += 4 * stride, points += bytesOfFour) {
    for (let k = 0; k < 4; k++) spread(features + <usize>min(k, rows - 1 - i) * stride, columns, work + 8 * <usize>k, 32)
    let firstB = f64x2.splat(0)
    let lastB = f64x2.splat(0)
    let firstH = f64x2.splat(0)
    let lastH = f64x2.splat(0)
    // Two rows of either matrix at a time: eight sums need not wait for each other.
    for (let r: usize = 0; r < width; r += 2) {
      let upper = matrices + r * apart
      let b0 = f64x2.splat(0)
      let b1 = f64x2.splat(0)
      let b2 = f64x2.splat(0)
      let b3 = f64x2.splat(0)
      let h0 = f64x2.splat(0)
      let h1 = f64x2.splat(0)
      let h2 = f64x2.splat(0)
      let h3 = f64x2.splat(0)
      for (let at = work, end = work + 32 * (r + 2); at < end; at += 32, upper += 8) {
        const first = v128.load(at)
        const last = v128.load(at, 16)
        const b = v128.load64_splat(upper)
        b0 = fma(b, first, b0)
        b1 = fma(b, last, b1)
        const below = v128.load64_splat(upper + apart)
        b2 = fma(below, first, b2)
        b3 = fma(below, last, b3)
        const h = v128.load64_splat(upper + other)
        h0 = fma(h, first, h0)
        h1 = fma(h, last, h1)
        const belowH = v128.load64_splat(upper + other + apart)
        h2 = fma(belowH, first, h2)
        h3 = fma(belowH, last, h3)
      }
      const own = work + 32 * r
      const first = v128.load(own)
      const last = v128.load(own, 16)
      const firstBelow = v128.load(own, 32)
      const lastBelow = v128.load(own, 48)
      firstB = fma(first, b0, fma(firstBelow, b2, firstB))
      lastB = fma(last, b1, fma(lastBelow, b3, lastB))
      firstH = fma(first, h0, fma(firstBelow, h2, firstH))
      lastH = fma(last, h1, fma(lastBelow, h3, lastH))
    }
    const v = v128.load(points, variationAt)
    const removed = removedOf(f64x2.promote_low_f32x4(v), firstB, firstH)
    const after = removedOf(f64x2.promote_low_f32x4(v128.shuffle<i32>(v, v, 2, 3, 2, 3)), lastB, lastH)
    v128.store(points, v128.shuffle<i32>(removed, after, 0, 1, 4, 5), variationAt)
  }
}

function removedOf(v: v128, b: v128, h: v128): v128 {
  const removed = f64x2.div(f64x2.mul(v, b), fma(v, h, f64x2.splat(1)))
  return f32x4.demote_f64x2_zero(f64x2.mul(removed, removed))
}

/** out ← out + Σ v xxᵀ, where v is the mass of a point that may be drawn; of each row what is on the diagonal and on its right, and perhaps one more. */
export function addMoment(
  features: usize,
  rows: i32,
  columns: i32,
  points: usize,
  taken: usize,
  formula: usize,
  work: usize,
  out: usize,
): void {
  const stride = <usize>(4 * columns)
  const width = widthOf(columns)
  const size: usize = 8 * width
  const scaled = work + 4 * size
  for (let i = 0; i < rows; i += 4, features += 4 * stride, points += bytesOfFour) {
    const open = openOf(taken, i, rows)
    if (open === 0) continue
    const masses = v128.and(massesOf(points, formula), maskOf(open))
    for (let k = 0; k < 4; k++) spread(features + <usize>min(k, rows - 1 - i) * stride, columns, work + <usize>k * size, 8)
    const upper = v128.shuffle<i32>(masses, masses, 2, 3, 2, 3)
    const ab = f64x2.promote_low_f32x4(masses)
    const cd = f64x2.promote_low_f32x4(upper)
    scale(work, v128.shuffle<i64>(ab, ab, 0, 0), size, scaled)
    scale(work + size, v128.shuffle<i64>(ab, ab, 1, 1), size, scaled + size)
    scale(work + 2 * size, v128.shuffle<i64>(cd, cd, 0, 0), size, scaled + 2 * size)
    scale(work + 3 * size, v128.shuffle<i64>(cd, cd, 1, 1), size, scaled + 3 * size)
    for (let r: usize = 0; r < size; r += 8) {
      const a = v128.load64_splat(scaled + r)
      const b = v128.load64_splat(scaled + r + size)
      const c = v128.load64_splat(scaled + r + 2 * size)
      const d = v128.load64_splat(scaled + r + 3 * size)
      const to = out + width * r
      for (let j = r & ~15; j < size; j += 16) {
        const left = fma(b, v128.load(work + j + size), f64x2.mul(a, v128.load(work + j)))
        const right = fma(d, v128.load(work + j + 3 * size), f64x2.mul(c, v128.load(work + j + 2 * size)))
        v128.store(to + j, f64x2.add(v128.load(to + j), f64x2.add(left, right)))
      }
    }
  }
}

function widthOf(columns: i32): usize {
  return <usize>((columns + 2) & ~1)
}

/** Writes a row as doubles, so many bytes apart. */
function spread(row: usize, columns: i32, out: usize, apart: usize): void {
  for (const end = row + <usize>(4 * columns); row < end; row += 4, out += apart) store<f64>(out, <f64>load<f32>(row))
  store<f64>(out, 1)
  if ((columns & 1) === 0) store<f64>(out + apart, 0)
}

function scale(row: usize, factor: v128, size: usize, out: usize): void {
  for (let j: usize = 0; j < size; j += 16) v128.store(out + j, f64x2.mul(factor, v128.load(row + j)))
}

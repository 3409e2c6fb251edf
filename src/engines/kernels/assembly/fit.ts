import { bothOf, twoFloats } from './lanes'

/**
 * What learners need of all rows at once. Features are 32-bit floats, row by row, `width` (a multiple of 8) a row, and the number of rows is
 * a multiple of 4; what is not there is 0. What the solution rests on is added up in doubles. What only steers towards it is in floats,
 * which is several times as fast.
 */

/** Where a part of the rows begins; it ends where the next begins. */
function startOf(rows: i32, part: i32, parts: i32): i32 {
  return (((rows >> 2) * part) / parts) << 2
}

/** out[iK + k] ← xᵢ·vₖ,  in doubles; vectors have `width` numbers each. */
export function project(
  features: usize,
  rows: i32,
  width: i32,
  vectors: usize,
  count: i32,
  out: usize,
  part: i32,
  parts: i32,
): void {
  const stride = <usize>(4 * width)
  const end = startOf(rows, part + 1, parts)
  for (let i = startOf(rows, part, parts); i < end; i += 4) {
    const a = features + <usize>i * stride
    const b = a + stride
    const c = b + stride
    const d = c + stride
    for (let k = 0; k < count; k++) {
      const vector = vectors + <usize>k * 2 * stride
      let sa = f64x2.splat(0)
      let sb = f64x2.splat(0)
      let sc = f64x2.splat(0)
      let sd = f64x2.splat(0)
      for (let j: usize = 0; j < stride; j += 8) {
        const v = v128.load(vector + 2 * j)
        sa = f64x2.add(sa, f64x2.mul(twoFloats(a + j), v))
        sb = f64x2.add(sb, f64x2.mul(twoFloats(b + j), v))
        sc = f64x2.add(sc, f64x2.mul(twoFloats(c + j), v))
        sd = f64x2.add(sd, f64x2.mul(twoFloats(d + j), v))
      }
      const to = out + 8 * (<usize>i * count + k)
      const apart = <usize>(8 * count)
      store<f64>(to, bothOf(sa))
      store<f64>(to + apart, bothOf(sb))
      store<f64>(to + 2 * apart, bothOf(sc))
      store<f64>(to + 3 * apart, bothOf(sd))
    }
  }
}

/** vₖ ← vₖ + Σᵢ factors[iK + k] · xᵢ,  in doubles. Every part has vectors of its own, one after another. */
export function addRows(
  features: usize,
  rows: i32,
  width: i32,
  factors: usize,
  count: i32,
  vectors: usize,
  part: i32,
  parts: i32,
): void {
  const stride = <usize>(4 * width)
  const apart = <usize>(8 * count)
  const end = startOf(rows, part + 1, parts)
  vectors += <usize>(part * count) * 2 * stride
  for (let i = startOf(rows, part, parts); i < end; i += 4) {
    const a = features + <usize>i * stride
    const b = a + stride
    const c = b + stride
    const d = c + stride
    for (let k = 0; k < count; k++) {
      const from = factors + 8 * (<usize>i * count + k)
      const fa = v128.load64_splat(from)
      const fb = v128.load64_splat(from + apart)
      const fc = v128.load64_splat(from + 2 * apart)
      const fd = v128.load64_splat(from + 3 * apart)
      const out = vectors + <usize>k * 2 * stride
      for (let j: usize = 0; j < stride; j += 8) {
        const ab = f64x2.add(f64x2.mul(fa, twoFloats(a + j)), f64x2.mul(fb, twoFloats(b + j)))
        const cd = f64x2.add(f64x2.mul(fc, twoFloats(c + j)), f64x2.mul(fd, twoFloats(d + j)))
        v128.store(out + 2 * j, f64x2.add(v128.load(out + 2 * j), f64x2.add(ab, cd)))
      }
    }
  }
}

/**
 * outₖ ← outₖ + Σᵢ bᵢₖ xᵢ,  where  bᵢₖ = ownᵢₖ (zᵢₖ − Σⱼ sharesᵢⱼ zᵢⱼ)  and  zᵢₖ = xᵢ·vₖ;  in floats. Four rows go together: their numbers for a class lie side
 * by side, classes one after another. Every part has an `out` of its own, and in `work` room for one group.
 */
export function bend(
  features: usize,
  rows: i32,
  width: i32,
  vectors: usize,
  own: usize,
  shares: usize,
  count: i32,
  work: usize,
  out: usize,
  part: i32,
  parts: i32,
): void {
  const stride = <usize>(4 * width)
  const group = <usize>(16 * count)
  const end = startOf(rows, part + 1, parts)
  work += <usize>part * group
  out += <usize>(part * count) * stride
  for (let i = startOf(rows, part, parts); i < end; i += 4) {
    const first = features + <usize>i * stride
    const at = <usize>(i >> 2) * group
    let mean = f32x4.splat(0)
    for (let k: usize = 0; k < group; k += 16) {
      const z = fourDots(first, stride, vectors + (k >> 4) * stride)
      v128.store(work + k, z)
      mean = f32x4.add(mean, f32x4.mul(z, v128.load(shares + at + k)))
    }
    for (let k: usize = 0; k < group; k += 16) {
      v128.store(work + k, f32x4.mul(v128.load(own + at + k), f32x4.sub(v128.load(work + k), mean)))
      addFour(first, stride, work + k, out + (k >> 4) * stride)
    }
  }
}

/** The products of four rows with a vector. */
function fourDots(a: usize, stride: usize, vector: usize): v128 {
  const b = a + stride
  const c = b + stride
  const d = c + stride
  let a0 = f32x4.splat(0)
  let a1 = f32x4.splat(0)
  let b0 = f32x4.splat(0)
  let b1 = f32x4.splat(0)
  let c0 = f32x4.splat(0)
  let c1 = f32x4.splat(0)
  let d0 = f32x4.splat(0)
  let d1 = f32x4.splat(0)
  for (let j: usize = 0; j < stride; j += 32) {
    const v0 = v128.load(vector + j)
    const v1 = v128.load(vector + j, 16)
    a0 = f32x4.add(a0, f32x4.mul(v128.load(a + j), v0))
    a1 = f32x4.add(a1, f32x4.mul(v128.load(a + j, 16), v1))
    b0 = f32x4.add(b0, f32x4.mul(v128.load(b + j), v0))
    b1 = f32x4.add(b1, f32x4.mul(v128.load(b + j, 16), v1))
    c0 = f32x4.add(c0, f32x4.mul(v128.load(c + j), v0))
    c1 = f32x4.add(c1, f32x4.mul(v128.load(c + j, 16), v1))
    d0 = f32x4.add(d0, f32x4.mul(v128.load(d + j), v0))
    d1 = f32x4.add(d1, f32x4.mul(v128.load(d + j, 16), v1))
  }
  const ab = pairs(f32x4.add(a0, a1), f32x4.add(b0, b1))
  const cd = pairs(f32x4.add(c0, c1), f32x4.add(d0, d1))
  return pairs(ab, cd)
}

/** (p₀ + p₁, p₂ + p₃, q₀ + q₁, q₂ + q₃) */
function pairs(p: v128, q: v128): v128 {
  return f32x4.add(v128.shuffle<f32>(p, q, 0, 2, 4, 6), v128.shuffle<f32>(p, q, 1, 3, 5, 7))
}

/** out ← out + the sum of four rows, each times its factor */
function addFour(a: usize, stride: usize, factors: usize, out: usize): void {
  const b = a + stride
  const c = b + stride
  const d = c + stride
  const fa = v128.load32_splat(factors)
  const fb = v128.load32_splat(factors, 4)
  const fc = v128.load32_splat(factors, 8)
  const fd = v128.load32_splat(factors, 12)
  for (let j: usize = 0; j < stride; j += 16) {
    const ab = f32x4.add(f32x4.mul(fa, v128.load(a + j)), f32x4.mul(fb, v128.load(b + j)))
    const cd = f32x4.add(f32x4.mul(fc, v128.load(c + j)), f32x4.mul(fd, v128.load(d + j)))
    v128.store(out + j, f32x4.add(v128.load(out + j), f32x4.add(ab, cd)))
  }
}

/** Rows that are gone through together, so that they stay near the processor. */
const together = 32

/**
 * The lower triangle of  Σᵢ rᵢ² xᵢxᵢᵀ  in floats, added to `out`, `width` numbers a row; what stands above the diagonal means nothing. Of so
 * many parts, one is done: some rows of the triangle. `work` has room for 32 rows and each part.
 */
export function squares(
  features: usize,
  rows: i32,
  width: i32,
  roots: usize,
  work: usize,
  out: usize,
  part: i32,
  parts: i32,
): void {
  const stride = <usize>(4 * width)
  const own = work + <usize>(part * together) * stride
  for (let first = 0; first < rows; first += together) {
    const some = min(together, rows - first)
    for (let i = 0; i < some; i++)
      scaleRow(features + <usize>(first + i) * stride, roots + 4 * (first + i), stride, own + <usize>i * stride)
    const end = own + <usize>some * stride
    for (let j = <usize>(16 * part); j < stride; j += <usize>(16 * parts))
      for (let k: usize = 0; k <= j; k += 32) addTile(own, end, stride, j, k, out + (j / 4) * stride + k)
  }
}

function scaleRow(row: usize, factor: usize, stride: usize, to: usize): void {
  const f = v128.load32_splat(factor)
  for (let j: usize = 0; j < stride; j += 16) v128.store(to + j, f32x4.mul(f, v128.load(row + j)))
}

/** Four columns by eight, which is what registers hold. */
function addTile(rows: usize, end: usize, stride: usize, j: usize, k: usize, out: usize): void {
  let a0 = v128.load(out)
  let a1 = v128.load(out, 16)
  let b0 = v128.load(out + stride)
  let b1 = v128.load(out + stride, 16)
  let c0 = v128.load(out + 2 * stride)
  let c1 = v128.load(out + 2 * stride, 16)
  let d0 = v128.load(out + 3 * stride)
  let d1 = v128.load(out + 3 * stride, 16)
  for (let row = rows; row < end; row += stride) {
    const x0 = v128.load(row + k)
    const x1 = v128.load(row + k, 16)
    const a = v128.load32_splat(row + j)
    a0 = f32x4.add(a0, f32x4.mul(a, x0))
    a1 = f32x4.add(a1, f32x4.mul(a, x1))
    const b = v128.load32_splat(row + j, 4)
    b0 = f32x4.add(b0, f32x4.mul(b, x0))
    b1 = f32x4.add(b1, f32x4.mul(b, x1))
    const c = v128.load32_splat(row + j, 8)
    c0 = f32x4.add(c0, f32x4.mul(c, x0))
    c1 = f32x4.add(c1, f32x4.mul(c, x1))
    const d = v128.load32_splat(row + j, 12)
    d0 = f32x4.add(d0, f32x4.mul(d, x0))
    d1 = f32x4.add(d1, f32x4.mul(d, x1))
  }
  v128.store(out, a0)
  v128.store(out, a1, 16)
  v128.store(out + stride, b0)
  v128.store(out + stride, b1, 16)
  v128.store(out + 2 * stride, c0)
  v128.store(out + 2 * stride, c1, 16)
  v128.store(out + 3 * stride, d0)
  v128.store(out + 3 * stride, d1, 16)
}

/** L, in doubles, with  LLᵀ = squares + λI  (Cholesky). No pivot is below λ, but for rounding. */
export function factor(squares: usize, width: i32, l2: f64, out: usize): void {
  const stride = <usize>(8 * width)
  for (let j = 0; j < width; j++) {
    const from = squares + <usize>j * (stride / 2)
    const row = out + <usize>j * stride
    let k = 0
    for (; k + 4 <= j; k += 4) fourBelow(from, row, out + <usize>k * stride, stride, k)
    for (; k < j; k++) {
      const above = out + <usize>k * stride
      const rest = <f64>load<f32>(from + 4 * k) - dotOf(row, above, k)
      store<f64>(row + 8 * k, rest / load<f64>(above + 8 * k))
    }
    const pivot = <f64>load<f32>(from + 4 * j) + l2 - dotOf(row, row, j)
    store<f64>(row + 8 * j, Math.sqrt(max(pivot, l2)))
  }
}

/** Entries k … k + 3 of a row of L, from those before them; `above` is row k of L. */
function fourBelow(from: usize, row: usize, above: usize, stride: usize, k: i32): void {
  const b = above + stride
  const c = b + stride
  const d = c + stride
  let s0 = f64x2.splat(0)
  let s1 = f64x2.splat(0)
  let s2 = f64x2.splat(0)
  let s3 = f64x2.splat(0)
  const end = <usize>(8 * k)
  for (let i: usize = 0; i < end; i += 16) {
    const own = v128.load(row + i)
    s0 = f64x2.add(s0, f64x2.mul(own, v128.load(above + i)))
    s1 = f64x2.add(s1, f64x2.mul(own, v128.load(b + i)))
    s2 = f64x2.add(s2, f64x2.mul(own, v128.load(c + i)))
    s3 = f64x2.add(s3, f64x2.mul(own, v128.load(d + i)))
  }
  const at = from + 4 * k
  const l0 = (<f64>load<f32>(at) - bothOf(s0)) / load<f64>(above + end)
  const l1 = (<f64>load<f32>(at, 4) - bothOf(s1) - l0 * load<f64>(b + end)) / load<f64>(b + end, 8)
  const r2 = <f64>load<f32>(at, 8) - bothOf(s2) - l0 * load<f64>(c + end) - l1 * load<f64>(c + end, 8)
  const l2 = r2 / load<f64>(c + end, 16)
  const r3 = <f64>load<f32>(at, 12) - bothOf(s3) - l0 * load<f64>(d + end) - l1 * load<f64>(d + end, 8)
  const l3 = (r3 - l2 * load<f64>(d + end, 16)) / load<f64>(d + end, 24)
  store<f64>(row + end, l0)
  store<f64>(row + end, l1, 8)
  store<f64>(row + end, l2, 16)
  store<f64>(row + end, l3, 24)
}

function dotOf(a: usize, b: usize, length: i32): f64 {
  let s0 = f64x2.splat(0)
  let s1 = f64x2.splat(0)
  let i: usize = 0
  for (const end = <usize>(8 * (length & ~3)); i < end; i += 32) {
    s0 = f64x2.add(s0, f64x2.mul(v128.load(a + i), v128.load(b + i)))
    s1 = f64x2.add(s1, f64x2.mul(v128.load(a + i, 16), v128.load(b + i, 16)))
  }
  let sum = bothOf(f64x2.add(s0, s1))
  for (const end = <usize>(8 * length); i < end; i += 8) sum += load<f64>(a + i) * load<f64>(b + i)
  return sum
}

/** vector ← (LLᵀ)⁻¹ vector */
export function solve(factor: usize, width: i32, vector: usize): void {
  const stride = <usize>(8 * width)
  for (let j = 0; j < width; j++) {
    const row = factor + <usize>j * stride
    const at = vector + 8 * j
    store<f64>(at, (load<f64>(at) - dotOf(row, vector, j)) / load<f64>(row + 8 * j))
  }
  for (let j = width - 1; j >= 0; j--) {
    const row = factor + <usize>j * stride
    const at = vector + 8 * j
    const solved = load<f64>(at) / load<f64>(row + 8 * j)
    store<f64>(at, solved)
    const own = f64x2.splat(solved)
    let i: usize = 0
    for (const end = <usize>(8 * (j & ~1)); i < end; i += 16)
      v128.store(vector + i, f64x2.sub(v128.load(vector + i), f64x2.mul(own, v128.load(row + i))))
    if (i < <usize>(8 * j)) store<f64>(vector + i, load<f64>(vector + i) - solved * load<f64>(row + i))
  }
}

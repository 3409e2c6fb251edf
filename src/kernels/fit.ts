/** What learners need of all rows at once, besides scores. Features are 32-bit floats, row by row. */

/** out ← out + Σᵢ factorsᵢ xᵢ,  in doubles; factors lie `apart` bytes from each other. */
export function addRows(features: usize, rows: i32, columns: i32, factors: usize, apart: i32, out: usize): void {
  const stride = <usize>(4 * columns)
  let i = 0
  for (; i + 4 <= rows; i += 4) {
    const a = features + <usize>i * stride
    const b = a + stride
    const c = b + stride
    const d = c + stride
    const from = factors + <usize>i * <usize>apart
    const fa = v128.load64_splat(from)
    const fb = v128.load64_splat(from + apart)
    const fc = v128.load64_splat(from + 2 * apart)
    const fd = v128.load64_splat(from + 3 * apart)
    let j: usize = 0
    for (const even = <usize>(columns & ~1); j < even; j += 2) {
      const ab = f64x2.add(f64x2.mul(fa, twoFloats(a + 4 * j)), f64x2.mul(fb, twoFloats(b + 4 * j)))
      const cd = f64x2.add(f64x2.mul(fc, twoFloats(c + 4 * j)), f64x2.mul(fd, twoFloats(d + 4 * j)))
      v128.store(out + 8 * j, f64x2.add(v128.load(out + 8 * j), f64x2.add(ab, cd)))
    }
    if (j < <usize>columns) for (let k = 0; k < 4; k++) addOne(a + <usize>k * stride, load<f64>(from + k * apart), out, j)
  }
  for (; i < rows; i++) {
    const factor = load<f64>(factors + <usize>i * <usize>apart)
    for (let j: usize = 0; j < <usize>columns; j++) addOne(features + <usize>i * stride, factor, out, j)
  }
}

function addOne(row: usize, factor: f64, out: usize, j: usize): void {
  store<f64>(out + 8 * j, load<f64>(out + 8 * j) + factor * <f64>load<f32>(row + 4 * j))
}

function twoFloats(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at))
}

/**
 * The lower triangle of  Σᵢ hᵢ xᵢxᵢᵀ  in floats, added to `out`, `width` (a multiple of 4) a row: near enough for what it is used for,
 * and twice as fast as in doubles. What stands above the diagonal means nothing. Rows must be a multiple of 4.
 */
export function squares(features: usize, rows: i32, columns: i32, weights: usize, out: usize, width: i32): void {
  const stride = <usize>(4 * columns)
  for (let i = 0; i < rows; i += 4) {
    const a = features + <usize>i * stride
    const b = a + stride
    const c = b + stride
    const d = c + stride
    const ha = load<f32>(weights + 4 * i)
    const hb = load<f32>(weights + 4 * i, 4)
    const hc = load<f32>(weights + 4 * i, 8)
    const hd = load<f32>(weights + 4 * i, 12)
    for (let j: usize = 0; j < <usize>columns; j++) {
      const aj = f32x4.splat(ha * load<f32>(a + 4 * j))
      const bj = f32x4.splat(hb * load<f32>(b + 4 * j))
      const cj = f32x4.splat(hc * load<f32>(c + 4 * j))
      const dj = f32x4.splat(hd * load<f32>(d + 4 * j))
      const row = out + j * <usize>(4 * width)
      for (let k: usize = 0; k <= j; k += 4) {
        const ab = f32x4.add(f32x4.mul(aj, v128.load(a + 4 * k)), f32x4.mul(bj, v128.load(b + 4 * k)))
        const cd = f32x4.add(f32x4.mul(cj, v128.load(c + 4 * k)), f32x4.mul(dj, v128.load(d + 4 * k)))
        v128.store(row + 4 * k, f32x4.add(v128.load(row + 4 * k), f32x4.add(ab, cd)))
      }
    }
  }
}

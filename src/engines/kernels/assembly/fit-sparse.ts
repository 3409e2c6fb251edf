/**
 * What learners need of all rows at once, where zeros are left out: row i has the entries from starts[i] to starts[i+1], 32-bit floats. Vectors lie
 * side by side, so that what a column means for all of them is found at once: `stride` bytes a column, of which the first 16 · `pairs` are used, at
 * most 64. All in doubles.
 */

/** out[i] ← xᵢ·v  for the vectors side by side, each row `stride` bytes from the last */
export function projectSparse(
  starts: usize,
  indices: usize,
  values: usize,
  rows: i32,
  vectors: usize,
  stride: usize,
  pairs: i32,
  out: usize,
): void {
  const last = starts + 4 * <usize>rows
  const apart = values - indices
  for (; starts < last; starts += 4, out += stride) {
    let a = f64x2.splat(0)
    let b = a
    let c = a
    let d = a
    const end = indices + 4 * <usize>load<u32>(starts, 4)
    for (let at = indices + 4 * <usize>load<u32>(starts); at < end; at += 4) {
      const value = f64x2.splat(<f64>load<f32>(at + apart))
      const from = vectors + stride * <usize>load<u32>(at)
      a = f64x2.add(a, f64x2.mul(value, v128.load(from)))
      if (pairs > 1) b = f64x2.add(b, f64x2.mul(value, v128.load(from, 16)))
      if (pairs > 2) c = f64x2.add(c, f64x2.mul(value, v128.load(from, 32)))
      if (pairs > 3) d = f64x2.add(d, f64x2.mul(value, v128.load(from, 48)))
    }
    v128.store(out, a)
    if (pairs > 1) v128.store(out, b, 16)
    if (pairs > 2) v128.store(out, c, 32)
    if (pairs > 3) v128.store(out, d, 48)
  }
}

/** v ← v + Σᵢ factors[i] · xᵢ */
export function addRowsSparse(
  starts: usize,
  indices: usize,
  values: usize,
  rows: i32,
  factors: usize,
  stride: usize,
  pairs: i32,
  vectors: usize,
): void {
  const last = starts + 4 * <usize>rows
  const apart = values - indices
  for (; starts < last; starts += 4, factors += stride) {
    const a = v128.load(factors)
    const b = pairs > 1 ? v128.load(factors, 16) : a
    const c = pairs > 2 ? v128.load(factors, 32) : a
    const d = pairs > 3 ? v128.load(factors, 48) : a
    const end = indices + 4 * <usize>load<u32>(starts, 4)
    for (let at = indices + 4 * <usize>load<u32>(starts); at < end; at += 4) {
      const value = f64x2.splat(<f64>load<f32>(at + apart))
      const to = vectors + stride * <usize>load<u32>(at)
      v128.store(to, f64x2.add(v128.load(to), f64x2.mul(value, a)))
      if (pairs > 1) v128.store(to, f64x2.add(v128.load(to, 16), f64x2.mul(value, b)), 16)
      if (pairs > 2) v128.store(to, f64x2.add(v128.load(to, 32), f64x2.mul(value, c)), 32)
      if (pairs > 3) v128.store(to, f64x2.add(v128.load(to, 48), f64x2.mul(value, d)), 48)
    }
  }
}

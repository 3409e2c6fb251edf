import { fma, fma4 } from './lanes'

/** exp and log of two doubles or four floats at a time, right to the last bit or two. Polynomials: Chebyshev fits, of the degree that it takes. */

/** eˣ for x ≤ 0; 0 below −708. */
export function exp(x: v128): v128 {
  const magic = f64x2.splat(6755399441055744.0) // 1.5 · 2⁵²: added, it leaves the nearest whole number in the lowest bits
  const isInside = f64x2.gt(x, f64x2.splat(-708))
  const shifted = fma(x, f64x2.splat(Math.LOG2E), magic)
  const n = f64x2.sub(shifted, magic)
  // r = x − n·ln 2, ln 2 in two parts so that nothing is lost; |r| ≤ ln 2 / 2
  let r = fma(n, f64x2.splat(-0.6931471803691238), x)
  r = fma(n, f64x2.splat(-1.9082149292705877e-10), r)
  let e = f64x2.splat(2.511491606445952e-8)
  e = fma(e, r, f64x2.splat(2.7632695699976396e-7))
  e = fma(e, r, f64x2.splat(2.7557224818395814e-6))
  e = fma(e, r, f64x2.splat(2.4801485330455693e-5))
  e = fma(e, r, f64x2.splat(1.984126990936877e-4))
  e = fma(e, r, f64x2.splat(1.388888895245707e-3))
  e = fma(e, r, f64x2.splat(8.333333333309456e-3))
  e = fma(e, r, f64x2.splat(4.166666666648756e-2))
  e = fma(e, r, f64x2.splat(0.16666666666666702))
  e = fma(e, r, f64x2.splat(0.5000000000000019))
  e = fma(e, r, f64x2.splat(1))
  e = fma(e, r, f64x2.splat(1))
  const power = i64x2.shl(i64x2.add(shifted, i64x2.splat(1023)), 52) // 2ⁿ, written into the exponent
  return v128.and(f64x2.mul(e, power), isInside)
}

/** log x for normal x > 0. */
export function log(x: v128): v128 {
  // x = m · 2ᵏ with m between √½ and √2
  // biome-ignore lint/correctness/noPrecisionLoss: the bits of √½
  const k = i64x2.shr_s(i64x2.sub(x, i64x2.splat(0x3fe6a09e667f3bcd)), 52)
  const m = i64x2.sub(x, i64x2.shl(k, 52))
  const s = f64x2.div(f64x2.sub(m, f64x2.splat(1)), f64x2.add(m, f64x2.splat(1)))
  const t = f64x2.mul(s, s) // ≤ 0.0295
  let q = f64x2.splat(0.074055220495365)
  q = fma(q, t, f64x2.splat(0.07656197883091047))
  q = fma(q, t, f64x2.splat(0.0909181841725106))
  q = fma(q, t, f64x2.splat(0.11111098478689471))
  q = fma(q, t, f64x2.splat(0.14285714380811437))
  q = fma(q, t, f64x2.splat(0.19999999999648865))
  q = fma(q, t, f64x2.splat(0.33333333333333826))
  q = fma(q, t, f64x2.splat(1))
  const magic = i64x2.splat(0x4338000000000000) // 1.5 · 2⁵² as bits: a small whole number added to them becomes a double
  const exponent = f64x2.sub(i64x2.add(k, magic), magic)
  return fma(exponent, f64x2.splat(Math.LN2), f64x2.mul(f64x2.add(s, s), q))
}

/** eˣ for four x ≤ 0, and 1 for 0; 0 below −87. */
export function exp4(x: v128): v128 {
  const magic = f32x4.splat(12582912) // 1.5 · 2²³
  const isInside = f32x4.gt(x, f32x4.splat(-87))
  const shifted = fma4(x, f32x4.splat(<f32>Math.LOG2E), magic)
  const n = f32x4.sub(shifted, magic)
  let r = fma4(n, f32x4.splat(-0.693359375), x)
  r = fma4(n, f32x4.splat(2.1219444005469057e-4), r)
  let e = f32x4.splat(1.394112138789737e-3)
  e = fma4(e, r, f32x4.splat(8.369158160321313e-3))
  e = fma4(e, r, f32x4.splat(4.166635273368988e-2))
  e = fma4(e, r, f32x4.splat(0.1666650516581451))
  e = fma4(e, r, f32x4.splat(0.5000000047157296))
  e = fma4(e, r, f32x4.splat(1.0000000107825358))
  e = fma4(e, r, f32x4.splat(1))
  const power = i32x4.shl(i32x4.add(shifted, i32x4.splat(127)), 23) // 2ⁿ, written into the exponent
  return v128.and(f32x4.mul(e, power), isInside)
}

/** log(1 + x) for four x ≥ 0: all digits right where x is small, too. */
export function logPlusOne4(x: v128): v128 {
  // 1 + x = m · 2ᵏ with m between √½ and √2; where k = 0, m − 1 is x itself
  const y = f32x4.add(x, f32x4.splat(1))
  const k = i32x4.shr_s(i32x4.sub(y, i32x4.splat(0x3f3504f3)), 23)
  const m = i32x4.sub(y, i32x4.shl(k, 23))
  const above = v128.bitselect(x, f32x4.sub(m, f32x4.splat(1)), i32x4.eq(k, i32x4.splat(0)))
  const s = f32x4.div(above, f32x4.add(above, f32x4.splat(2)))
  const t = f32x4.mul(s, s)
  let q = f32x4.splat(0.14962796299064002)
  q = fma4(q, t, f32x4.splat(0.1998739925857617))
  q = fma4(q, t, f32x4.splat(0.3333340794994723))
  q = fma4(q, t, f32x4.splat(1))
  return fma4(f32x4.convert_i32x4_s(k), f32x4.splat(<f32>Math.LN2), f32x4.mul(f32x4.add(s, s), q))
}

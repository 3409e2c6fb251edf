import { fma } from './fma'

/** exp and log of two doubles at a time, right to the last bit or two. Polynomials: Chebyshev fits, of the degree that doubles need. */

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

/** a·b + c on two doubles, in one rounding where the machine offers that. */
export function fma(a: v128, b: v128, c: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? f64x2.relaxed_madd(a, b, c) : f64x2.add(f64x2.mul(a, b), c)
}

/** The same on four floats. */
export function fma4(a: v128, b: v128, c: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? f32x4.relaxed_madd(a, b, c) : f32x4.add(f32x4.mul(a, b), c)
}

/** Two floats as doubles. */
export function twoFloats(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at))
}

/** The sum of two doubles. */
export function bothOf(sums: v128): f64 {
  return f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1)
}

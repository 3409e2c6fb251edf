/** vector ← vector + factor · other */
export function addInPlace(vector: Float64Array, factor: number, other: Float64Array): void {
  for (let j = 0; j < vector.length; j++) vector[j]! += factor * other[j]!
}

/** a·b */
export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let j = 0; j < a.length; j++) sum += a[j]! * b[j]!
  return sum
}

/** ‖vector‖∞ */
export function largest(vector: Float64Array): number {
  let most = 0
  for (let j = 0; j < vector.length; j++) most = Math.max(most, Math.abs(vector[j]!))
  return most
}

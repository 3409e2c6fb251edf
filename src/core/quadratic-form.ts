/**
 * A quadratic form as a sum of squares,  x ↦ Σ (u·x)²:  vectors u, as long as some of the first features of a row and a 1. Few of them stand in for a
 * matrix where features are many.
 */
export type QuadraticForm = readonly Float64Array[]

/** Features for which any engine computes forms, at most: rows wider than that are worked on one by one. */
export const mostFormFeatures = 256

export function formAt(form: QuadraticForm, x: Float64Array): number {
  let sum = 0
  for (let k = 0; k < form.length; k++) {
    const vector = form[k]!
    let product = 0
    for (let j = 0; j < vector.length; j++) product += vector[j]! * x[j]!
    sum += product * product
  }
  return sum
}

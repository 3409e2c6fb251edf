import * as f from '../core/formula.ts'
import { withKernel } from './mass.ts'

/**
 * s², with s the variance at the decision boundary that the label of a point would remove:
 *
 *   s = v · x·Bx / (1 + v · x·H⁻¹x),   v = (1 − Σ p²)/K
 *
 * The two quadratic forms, B first, are made anew by the strategy before each draw.   @see docs/equations.md#alis-variance
 */
export const variance = withKernel('variance', {
  name: 'variance',
  value({ probabilities, forms }) {
    let squares = 0
    for (const p of probabilities) squares += p * p
    const v = (1 - squares) / probabilities.length
    const removed = (v * forms[0]!) / (1 + v * forms[1]!)
    return removed * removed
  },
  express({ probabilities, forms }) {
    const v = f.quotient(f.difference(1, f.sum(...probabilities.map(f.square))), probabilities.length)
    return f.square(f.quotient(f.product(v, forms[0]!), f.sum(1, f.product(v, forms[1]!))))
  },
})

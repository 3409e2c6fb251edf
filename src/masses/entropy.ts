import * as f from '../core/formula.ts'
import { withKernel } from './mass.ts'

/** −Σ p log p: how little the model knows about the point.   @see docs/equations.md#entropy */
export const entropy = withKernel('entropy', {
  name: 'entropy',
  value({ probabilities }) {
    let sum = 0
    for (const p of probabilities) if (p > 0) sum -= p * Math.log(p)
    return sum
  },
  express: ({ probabilities }) => f.sum(...probabilities.map((p) => f.ifAbove(p, 0, f.negative(f.product(p, f.log(p))), 0))),
})

import { marginFormula, marginOf } from '../core/belief.ts'
import * as f from '../core/formula.ts'
import { withKernel } from './mass.ts'

/** 1 − margin: the scale of classical uncertainty sampling. */
export const doubt = withKernel('doubt', {
  name: 'doubt',
  value: (belief) => 1 - marginOf(belief),
  express: (belief) => f.difference(1, marginFormula(belief)),
})

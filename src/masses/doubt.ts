import { marginFormula, marginOf } from '../core/belief.ts'
import * as f from '../core/formula.ts'
import type { Ingredient } from './mass.ts'

/** 1 − margin: the scale of classical uncertainty sampling. */
export const doubt: Ingredient = {
  name: 'doubt',
  value: (belief) => 1 - marginOf(belief),
  express: (belief) => f.difference(1, marginFormula(belief)),
}

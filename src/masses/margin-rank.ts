import { marginFormula, marginOf } from '../core/belief.ts'
import * as f from '../core/formula.ts'
import { marginBin, marginBinFormula } from '../core/margins.ts'
import { withKernel } from './mass.ts'

/**
 * 1/rank of the margin, the most doubtful point of the pool having rank 1. The rank is read off a histogram of the
 * margins, so that the mass stays a function of the score and one pass finds all it needs.   @see docs/equations.md#margin-rank
 */
export const marginRank = withKernel('margin-rank', {
  name: 'margin-rank',
  rankPower: 1,
  value: (belief, ranks) => ranks[marginBin(marginOf(belief))]!,
  express: (belief, ranks) => f.entry(ranks, marginBinFormula(marginFormula(belief))),
})

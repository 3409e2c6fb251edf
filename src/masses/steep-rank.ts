import { marginFormula, marginOf } from '../core/belief.ts'
import * as f from '../core/formula.ts'
import { marginBin, marginBinFormula } from '../core/margins.ts'
import { withKernel } from './mass.ts'

/** rank^(−1.5) of the margin: as margin rank, with more of it on the few most doubtful points.   @see docs/equations.md#margin-rank */
export const steepRank = withKernel('margin-rank', {
  name: 'steep-rank',
  rankPower: 1.5,
  value: (belief, ranks) => ranks[marginBin(marginOf(belief))]!,
  express: (belief, ranks) => f.entry(ranks, marginBinFormula(marginFormula(belief))),
})

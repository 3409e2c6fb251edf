import { marginRank } from './margin-rank.ts'
import type { Ingredient } from './mass.ts'

/** rank^(−1.5) of the margin: as margin rank, with more of it on the few most doubtful points.   @see docs/equations.md#margin-rank */
export const steepRank: Ingredient = { ...marginRank, name: 'steep-rank', rankPower: 1.5 }

import { alis, alisAudit } from './alis.ts'
import { alisVariance } from './alis-variance.ts'
import { uncertainty, uniformStrategy } from './baselines.ts'
import { bmdr } from './bmdr.ts'
import { coreSet } from './core-set.ts'
import { iwal } from './iwal.ts'
import { paper, paperAll, paperReplacement } from './paper.ts'
import { entropyStrategy, expectedLossStrategy, marginRankStrategy } from './single.ts'
import type { Strategy } from './strategy.ts'

/** Every strategy by name, as the command offers them. */
export const strategies = {
  alis,
  'alis-variance': alisVariance,
  'alis-audit': alisAudit,
  'margin-rank': marginRankStrategy,
  entropy: entropyStrategy,
  'expected-loss': expectedLossStrategy,
  uniform: uniformStrategy,
  uncertainty,
  iwal,
  'core-set': coreSet,
  bmdr,
  paper,
  'paper-replacement': paperReplacement,
  'paper-all': paperAll,
} as const satisfies Record<string, Strategy>

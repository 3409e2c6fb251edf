import { requireInput } from '../core/errors.ts'
import { didYouMean } from '../core/nearest-name.ts'
import { type AlisOptions, alis, alisAudit, alisStrategy } from './alis.ts'
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

export type StrategyName = keyof typeof strategies

export const strategyNames = Object.keys(strategies) as readonly StrategyName[]

/** The strategy of a name, and as it is set: only `alis` can be. */
export function strategyNamed(name: string, { know }: AlisOptions = {}): Strategy {
  requireInput(
    Object.hasOwn(strategies, name),
    `strategy: one of ${strategyNames.join(', ')} is required, got ${JSON.stringify(name)}`,
    didYouMean(name, strategyNames),
  )
  if (know === undefined) return strategies[name as StrategyName]
  requireInput(name === alis.name, `know: strategy ${alis.name} is required, got ${name}, which has no such share`)
  return alisStrategy({ know })
}

import { type AuditRound, audit } from '../../src/audit.ts'
import { DrawInterval, type Interval } from '../../src/certificates/draw-interval.ts'
import { expectedLossOf, type Reader } from '../../src/core/belief.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { askAboutDigits, type DigitsRecipe } from './digits.ts'
import type { OneLook } from './one-look.ts'
import type { PoolRecipe } from './pools.ts'
import { askAbout, type MeasuredMetric } from './questions.ts'

/** One whole audit of one pool. Plain data: it goes to a worker. */
export type AuditRun = (PoolRecipe | DigitsRecipe) & {
  /** Default `error`; always that for digits. */
  readonly metric?: MeasuredMetric
  readonly strategy?: 'alis-audit' | 'uniform'
  /**
   * `single`: what audits do, bets on one deadline for the tolerance. `steady`: the same draws, with bets on two of them (errors
   * only). `open`: the audit is not told of the tolerance, and is looked at after every round of 50.
   */
  readonly bets: 'single' | 'steady' | 'open'
  readonly tolerance: number
}

export type Run = AuditRun | OneLook

export interface Outcome {
  /** Answers until the interval was as narrow as ± tolerance. */
  readonly answers: number
  /** Whether the interval ever left out the true value on the way there. */
  readonly isMissed: boolean
  /** The true value. */
  readonly value: number
}

export async function runAudit({
  metric = 'error',
  strategy = 'alis-audit',
  bets,
  tolerance,
  ...recipe
}: AuditRun): Promise<Outcome> {
  const { ids, features, classes, truth, value } =
    'classifier' in recipe ? await askAboutDigits(recipe) : askAbout(metric, recipe)
  const bystander = bets === 'steady' ? bystanderOf(ids.length, tolerance) : undefined
  const engine = memoryEngine({ ids, features })
  const rounds = audit({
    engine: bystander?.watched(engine) ?? engine,
    store: memoryStore(),
    oracle: columnOracle(truth),
    model: { kind: 'columns', id: 'predictions', classes: ['no', 'yes'], columns: features.columns },
    classes,
    metric,
    positive: classes[1]!,
    strategy,
    seed: recipe.seed,
    ...(bets === 'single' ? { tolerance } : { budget: ids.length }),
  })
  let outcome: Outcome = { answers: 0, isMissed: false, value }
  for await (const round of rounds) {
    const { low, high, answers } = bystander?.after(round, classes) ?? round.interval
    // Limits only ever tighten, so what was left out at some answer within a round is still out at its end.
    const isOut = low > value + 1e-12 || high < value - 1e-12
    outcome = { answers, isMissed: outcome.isMissed || isOut, value }
    if ((high - low) / 2 <= tolerance) break
  }
  return outcome
}

/** Looks over the shoulder of an audit of errors, and makes its own bets on the same draws. They do not depend on the audit's. */
function bystanderOf(poolSize: number, tolerance: number) {
  const interval = new DrawInterval({ poolSize, tolerance, bets: 'steady' })
  let reader: Reader

  return {
    watched: (engine: Engine): Engine => ({
      ...engine,
      async draw(request, signal) {
        const drawing = await engine.draw(request, signal)
        reader = request.controls[0]!
        interval.round({ mass: drawing.survey.mass, ...drawing.survey.controls[0]! })
        return drawing
      },
    }),
    /** Up to the answer that makes the interval narrow enough. */
    after({ draws, answers }: AuditRound, classes: readonly string[]): Interval {
      for (const { id, mass, scores } of draws) {
        const { low, high } = interval.interval()
        if ((high - low) / 2 <= tolerance) break
        const isRight = classes[scores[1]!] === answers.get(id)
        interval.draw({ loss: isRight ? 0 : 1, mass, predictedLoss: expectedLossOf(reader, scores) })
      }
      return interval.interval()
    },
  }
}

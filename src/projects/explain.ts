import { bernoulliVariance, type Decomposition, decomposition } from '../bounds/decomposition.ts'
import { bernsteinSwitch, type PaperBound, paperBound } from '../bounds/paper-bound.ts'
import { paperDistribution } from '../bounds/paper-distribution.ts'
import { requireInput } from '../core/errors.ts'
import type { FeatureRows } from '../core/features.ts'
import { type Model, scorerOf } from '../core/model.ts'
import { sign } from '../core/numbers.ts'
import { inclusionProbabilities } from '../designs/inclusion.ts'
import type { Loss } from '../losses/loss.ts'
import type { LabelledPoints } from './pools/pool-data.ts'
import type { TestedRound } from './run-loop.ts'

/** A point of Uᵗ as the paper sees it. */
export interface ExplainedPoint {
  readonly id: string
  readonly score: number
  /** ŷ = −sign f(x), as a class. */
  readonly pseudoLabel: string
  readonly pseudoLoss: number
  /** p*, which sums to 1. */
  readonly p: number
  /** π: the chance that it is in this round. Equal to p* where one draw is expected. */
  readonly inclusion: number
  /** Its loss, where the truth is known. */
  readonly loss: number | null
  /** Q. */
  readonly isDrawn: boolean
}

/** One pass of Algorithm 1, in the letters of the paper. */
export interface ExplainedRound {
  readonly round: number
  /** U: those that could be drawn. */
  readonly points: readonly ExplainedPoint[]
  readonly bound: PaperBound
  /** (c_δ − 1) M / n: the Bernstein switch with the paper's bound M² on the variance. */
  readonly switched: number
  /** What only the truth can tell. */
  readonly truth?: ExplainedTruth
}

export interface ExplainedTruth extends Decomposition {
  /** R: the mean loss over all rows of the file. */
  readonly trueLoss: number
  /** The mean loss over U. */
  readonly mean: number
  /** Equation (2). */
  readonly variance: number
  /** (1/n) Σ_V ℓ/π of the model that was then trained on V: what B stands for once it is driven down. */
  readonly trained: number
}

export interface ExplainPlan {
  readonly pool: LabelledPoints
  readonly test: LabelledPoints | undefined
  readonly classes: readonly string[]
  readonly loss: Loss
  readonly batch: number
  readonly delta: number
}

/** Follows a run of strategy `paper`, round by round. The start, which is drawn alike, is none of them. */
export function explainer(plan: ExplainPlan): (round: TestedRound) => ExplainedRound | undefined {
  const { pool, classes } = plan
  requireInput(
    classes.length === 2,
    `--explain: two classes are required, as in the paper, got ${classes.length}`,
    'Choose one with --positive.',
  )
  const left = new Set(pool.ids.keys())
  const rowOf = new Map(pool.ids.map((id, row) => [id, row]))
  let before: Model | undefined
  return (round) => {
    const rows = [...left]
    for (const { id } of round.draws) left.delete(rowOf.get(id)!)
    const model = before
    before = round.model
    return model && round.round > 0 ? explained(plan, round, { rows, model }) : undefined
  }
}

function explained(
  { pool, test, classes, loss, batch, delta }: ExplainPlan,
  { round, draws, model: trained }: TestedRound,
  { rows, model }: { readonly rows: readonly number[]; readonly model: Model },
): ExplainedRound {
  const scores = rows.map(scoresBy(model, pool.features))
  const pseudoLosses = Float64Array.from(scores, loss.pseudoLoss)
  const p = paperDistribution(pseudoLosses)
  const inclusion = inclusionProbabilities(p, Math.min(batch, rows.length))
  const drawn = new Set(draws.map(({ id }) => id))
  const isDrawn = rows.map((row) => drawn.has(pool.ids[row]!))
  const labelOf = (points: LabelledPoints, row: number) => (points.labels[row] === classes[1] ? 1 : -1)
  const hasTruth = pool.labels.length > 0 && [...pool.labels, ...(test?.labels ?? [])].every((label) => label !== null)
  const losses = Float64Array.from(scores, (score, k) => (hasTruth ? loss.value(labelOf(pool, rows[k]!), score) : 0))
  const bound = paperBound({ pseudoLosses, p, delta })
  const points = rows.map((row, k) => ({
    id: pool.ids[row]!,
    score: scores[k]!,
    pseudoLabel: classes[sign(scores[k]!) === 1 ? 0 : 1]!,
    pseudoLoss: pseudoLosses[k]!,
    p: p[k]!,
    inclusion: inclusion[k]!,
    loss: hasTruth ? losses[k]! : null,
    isDrawn: isDrawn[k]!,
  }))
  const shared = { round, points, bound, switched: bernsteinSwitch(bound.mass, bound.mass ** 2, delta) / rows.length }
  if (!hasTruth) return shared
  const everywhere = [pool, ...(test ? [test] : [])].flatMap((each) => {
    const scoreOf = scoresBy(model, each.features)
    return each.ids.map((_, row) => loss.value(labelOf(each, row), scoreOf(row)))
  })
  const trueLoss = mean(everywhere)
  const after = scoresBy(trained, pool.features)
  const weighted = rows.map((row, k) => (isDrawn[k] ? loss.value(labelOf(pool, row), after(row)) / inclusion[k]! : 0))
  return {
    ...shared,
    truth: {
      ...decomposition({ trueLoss, losses, drawn: isDrawn, p: inclusion }),
      trueLoss,
      mean: mean([...losses]),
      variance: bernoulliVariance(losses, inclusion),
      trained: mean(weighted),
    },
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

function scoresBy(model: Model, features: FeatureRows): (row: number) => number {
  const score = scorerOf(model)
  const into = new Float64Array(1)
  return (row) => {
    score(features, row, into)
    return into[0]!
  }
}

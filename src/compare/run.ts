import type { Reader } from '../core/belief.ts'
import { requireInput } from '../core/errors.ts'
import type { Model } from '../core/model.ts'
import type { Label } from '../core/record.ts'
import type { Engine } from '../engines/engine.ts'
import { memoryEngine } from '../engines/memory.ts'
import { learnerFor } from '../learners/catalogue.ts'
import { evaluate } from '../projects/evaluate.ts'
import { divide } from '../projects/pools/memory.ts'
import type { OpenFile } from '../projects/pools/open-file.ts'
import type { LabelledPoints, LoadedData } from '../projects/pools/pool-data.ts'
import { runLoop } from '../projects/run-loop.ts'
import { type ComparePlan, comparedStrategy, type RunJob } from './plan.ts'

export interface RunRound {
  readonly round: number
  readonly labels: number
  /** Of the model after the round, on the rows to test on. */
  readonly error: number
  readonly logLoss: number
  /** Null for more than two classes. */
  readonly averagePrecision: number | null
  /** Of the error of the model before the round on the points then unlabelled; null where a strategy has no unbiased one. */
  readonly estimate: number | null
  readonly low: number | null
  readonly high: number | null
  /** What the estimate is of; null for the start, before which there is no model. */
  readonly truth: number | null
  /** To fit, score and draw. */
  readonly seconds: number
}

export interface Run extends RunJob {
  readonly rounds: readonly RunRound[]
}

/** A pool and rows to test on, ready for every strategy. */
export interface Split {
  readonly data: LoadedData
  readonly test: Scored
  readonly pool: Scored
}

interface Scored {
  readonly engine: Engine
  readonly points: LabelledPoints
}

export async function splitOf(
  file: OpenFile,
  { data: options }: ComparePlan,
  seed: number,
  signal?: AbortSignal,
): Promise<Split> {
  const data = await divide(file, options, seed, signal ? { signal } : {})
  const { test, pool } = data
  requireInput(test?.labels.some((label) => label !== null) === true, 'test: rows with labels are required, got none')
  return { data, test: scored(test), pool: scored(pool) }
}

const scored = (points: LabelledPoints): Scored => ({ engine: memoryEngine(points), points })

/** Learns with one strategy to the end of the budget, and looks at every model on the way. */
export async function runOnce(
  { data, test, pool }: Split,
  plan: ComparePlan,
  job: RunJob,
  { signal, onRound }: { readonly signal?: AbortSignal; readonly onRound?: (labels: number) => void } = {},
): Promise<Run> {
  const { start, batch, budget, loss, l2 } = plan
  const learner = learnerFor(loss, data.classes.length, l2)
  const strategy = comparedStrategy(job.strategy)
  const options = { strategy, learner, start, batch, budget, delta: 0.05, seed: job.seed, seedChosen: true }
  const rounds: RunRound[] = []
  const taken = new Set<string>()
  let mistakes: readonly number[] | undefined
  let began = performance.now()
  // Tested here and not there, so that the seconds are those of learning.
  for await (const round of runLoop({ ...data, test: undefined }, { ...options, ...(signal && { signal }) })) {
    const seconds = (performance.now() - began) / 1000
    const { model, draws, labels, estimate } = round
    const truth = mistakes ? meanOfUntaken(pool.points.ids, mistakes, taken) : null
    const precision = data.classes.length === 2 ? await precisionOf(model, learner.loss, test) : null
    rounds.push({
      round: round.round,
      labels,
      ...(await evaluate(model, learner.loss, test.engine, test.points.labels)),
      averagePrecision: precision,
      estimate: estimate?.value ?? null,
      low: estimate?.low ?? null,
      high: estimate?.high ?? null,
      truth,
      seconds,
    })
    for (const { id } of draws) taken.add(id)
    mistakes = await mistakesOf(model, learner.loss, pool)
    onRound?.(labels)
    began = performance.now()
  }
  return { ...job, rounds }
}

/** 1 where the model is wrong, a half where the label is missing: as a round's estimate counts them. */
async function mistakesOf(model: Model, loss: Reader, { engine, points }: Scored): Promise<number[]> {
  const mistakes: number[] = []
  for await (const batch of engine.predictions(model, loss)) {
    for (const { label } of batch) mistakes.push(mistake(model.classes[label]!, points.labels[mistakes.length]!))
  }
  return mistakes
}

const mistake = (predicted: string, label: Label) => (label === null ? 0.5 : predicted === label ? 0 : 1)

function meanOfUntaken(ids: readonly string[], mistakes: readonly number[], taken: ReadonlySet<string>): number | null {
  const left = mistakes.filter((_, k) => !taken.has(ids[k]!))
  return left.length === 0 ? null : left.reduce((sum, value) => sum + value, 0) / left.length
}

async function precisionOf(model: Model, loss: Reader, { engine, points }: Scored): Promise<number | null> {
  const chances: number[] = []
  for await (const batch of engine.predictions(model, loss))
    for (const { probabilities } of batch) chances.push(probabilities[1]!)
  const known = chances.map((_, k) => k).filter((k) => points.labels[k] !== null)
  return averagePrecision(
    known.map((k) => chances[k]!),
    known.map((k) => points.labels[k] === model.classes[1]),
  )
}

/**
 * Σ (Rₖ − Rₖ₋₁) Pₖ over the distinct scores from the highest down: precision, averaged over the recall it is paid with. Points of
 * one score count together, so that their order does not. Null where nothing is positive.
 */
export function averagePrecision(scores: readonly number[], isPositive: readonly boolean[]): number | null {
  const positives = isPositive.filter(Boolean).length
  if (positives === 0) return null
  const order = scores.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]!)
  let sum = 0
  let found = 0
  for (let from = 0, to = 0; from < order.length; from = to) {
    const before = found
    for (; to < order.length && scores[order[to]!] === scores[order[from]!]; to++) if (isPositive[order[to]!]) found++
    sum += ((found - before) / positives) * (found / to)
  }
  return sum
}

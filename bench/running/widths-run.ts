import { learnerFor } from '../../src/learners/catalogue.ts'
import { learn } from '../../src/loop.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { strategies } from '../../src/strategies/catalogue.ts'
import { errorsOf } from './known-pool.ts'
import { openSet } from './sets.ts'

export const marks = [100, 200, 300, 500, 1000, 2000] as const

/** One run of learning over a whole set. Plain data: it goes to a worker. */
export interface WidthsRun {
  readonly set: string
  readonly seed: number
}

/** At a number of labels, as shares of the points without an answer. */
export interface WidthAt {
  readonly labels: number
  readonly error: number
  readonly low: number
  readonly high: number
  readonly value: number
  /** How far the estimate from the last round alone is off the error of the model that it is of. */
  readonly ownMiss: number
}

export async function runWidths({ set, seed }: WidthsRun): Promise<WidthAt[]> {
  const data = (await openSet(set))!
  const { ids, features, labels } = data.pool
  const { classes } = data
  const pool = { features, truth: labels.map((label) => classes.indexOf(label!)) }
  const rowOf = new Map(ids.map((id, row) => [id, row]))
  const left = new Set(ids.keys())
  const engine = data.engine()
  const budget = Math.max(...marks.filter((mark) => mark <= 0.8 * ids.length))
  const learner = learnerFor('logistic', classes.length, 1)
  const plan = {
    engine,
    store: memoryStore(),
    oracle: data.answers!(),
    learner,
    strategy: strategies.alis,
    classes,
    seed,
    budget,
  }
  const found: WidthAt[] = []
  let before: number | undefined // the error of the model before, where the next round is at a mark
  for await (const { labels: spent, draws, now, estimate, model } of learn(plan)) {
    for (const { id } of draws) left.delete(rowOf.get(id)!)
    const isMark = (n: number) => (marks as readonly number[]).includes(n)
    if (!isMark(spent) && !isMark(spent + 10)) continue
    const error = errorsOf(model, pool, left) / left.size
    if (isMark(spent)) {
      const { low, high, value } = now!
      found.push({ labels: spent, error, low, high, value, ownMiss: estimate!.value - before! })
    }
    before = error
  }
  return found
}

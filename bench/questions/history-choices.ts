import { AlisError } from '../../src/core/errors.ts'
import { ceilingMetrics } from '../../src/metrics/catalogue.ts'
import type { Oracle } from '../../src/oracles/oracle.ts'
import type { Goal } from '../../src/questions/record.ts'
import type { QuestionSpec } from '../../src/questions/spec.ts'
import { asked } from './claims.ts'
import type { Dice } from './dice.ts'
import type { World } from './history-world.ts'

/** What an audit wants next, over a pool of a size. */
export interface Wishes {
  readonly goal: Goal
  readonly questions: readonly QuestionSpec[]
  readonly batch: number
}

export function wishesOf({ chance, pick, whole, shuffled }: Dice, size: number): Wishes {
  const tolerance = pick([0.02, 0.1, 0.2, 0.4])
  const budget = 5 + whole(size)
  const goal: Goal = chance(0.15)
    ? { below: pick([0.05, 0.2, 0.5]), ...(chance(0.5) && { budget }) }
    : pick([{ tolerance }, { budget }, { tolerance, budget }])
  const can = asked.filter(({ spec }) => goal.below === undefined || ceilingMetrics.includes(spec.metric))
  const questions = shuffled(can).slice(0, 1 + whole(4))
  return { goal, questions: questions.map(({ spec }) => spec), batch: pick([1, 3, 7, 20]) }
}

/** Answers in some order; half of the time it is killed on the way. */
export function oracleOf(dice: Dice, world: World): Oracle {
  const isInOrder = dice.chance(0.5)
  let left = dice.chance(0.5) ? dice.whole(25) : Number.POSITIVE_INFINITY
  return {
    name: 'column',
    async *label(ids) {
      for (const id of isInOrder ? ids : dice.shuffled(ids)) {
        if (left-- <= 0) throw new AlisError('oracle-failed', 'column: killed')
        yield { id, label: world.firstAnswerTo(id) }
      }
    },
    async close() {},
  }
}

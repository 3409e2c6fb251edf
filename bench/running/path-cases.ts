import type { Strategy } from '../../src/strategies/strategy.ts'
import type { PoolRecipe } from './known-pool.ts'
import * as learners from './spoiled-learners.ts'

/** Paths of learning on which limits are tried: ordinary ones, and some that are made to break them. */
export interface PathCase {
  readonly name: string
  readonly recipe: PoolRecipe
  readonly learner: learners.MakeLearner
  readonly budget: number
  readonly batch?: number
  readonly start?: number
  readonly strategy?: Strategy
}

const points = 1500
const of = (name: string, set: string, learner = learners.plain, changes: Partial<PoolRecipe> = {}): PathCase => ({
  name: name === '' ? set : `${set}, ${name}`,
  recipe: { set, points, ...changes },
  learner,
  budget: 400,
})

export const cases: readonly PathCase[] = [
  of('', 'letter'),
  of('', 'spambase'),
  of('', 'digits'),
  of('wrong on a quarter on purpose from round 20 on', 'letter', learners.spoiledFrom(210), { traced: 0.25 }),
  of('every second model spoiled on a half', 'letter', learners.everySecondSpoiled, { traced: 0.5 }),
  of('predictions drawn anew every round', 'letter', learners.guessingAnew),
  of('useless predictions for good', 'letter', learners.guessingForGood),
  of('a learner that memorises', 'letter', learners.memoriser, { isNamed: true }),
  of('grossly overconfident', 'spambase', learners.overconfident),
  of('a fifth of the answers flipped', 'spambase', learners.plain, { flipped: 0.2 }),
  of('', 'satellite'),
]

import { describe, expect, it } from 'vitest'
import type { Reader } from '../../core/belief.ts'
import { dense } from '../../core/features.ts'
import type { ColumnModel } from '../../core/model.ts'
import { clip, sigmoid } from '../../core/numbers.ts'
import { uniform } from '../../core/randomness.ts'
import { untransformed } from '../../core/score-transform.ts'
import { successive } from '../../designs/successive.ts'
import { expectedLoss } from '../../masses/expected-loss.ts'
import { type Ingredient, mixture, pure } from '../../masses/mass.ts'
import { memoryEngine } from '../memory.ts'
import { fastEngine } from './engine.ts'
import { countedReader, expectSameDraws, expectSameSurvey, ids, size } from './reference.contract.ts'

// Scores that are columns, as those of audits: the logit of a chance, the class that is predicted, and the class another model predicts.

const classes = 3
const column = (stream: string) => ids.map((id) => uniform(8, stream, id))
const [chance, first, second] = [column('chance'), column('first'), column('second')]

/** Logits of chances, all different or rounded to two digits; the fewer digits, the more points share one. */
const poolOf = (digits: number, kinds = classes) => {
  const rounded = chance.map((p) => clip(Number((0.5 * p * p).toFixed(digits)), 0.001, 0.999))
  const values = rounded.flatMap((p, row) => [
    Math.log(p / (1 - p)),
    Math.floor(kinds * first[row]!),
    Math.floor(kinds * (second[row]! < 0.8 ? first[row]! : second[row]!)),
  ])
  return { ids, features: dense(Float32Array.from(values), 3) }
}

const model: ColumnModel = { kind: 'columns', id: 'columns', classes: ['no', 'yes'], columns: 3 }

/** A chance by a line, kept away from 0 and 1, and values by what is predicted. */
const readerOf = (intercept: number, slope: number, valuesOf: (scores: ArrayLike<number>) => readonly number[]): Reader => ({
  name: 'chance',
  read(scores, { probabilities, losses }) {
    const p = clip(sigmoid(intercept + slope * scores[0]!), 0.001, 0.95)
    probabilities.set([1 - p, p])
    losses.set(valuesOf(scores))
  },
})
const always = () => [0, 1]
const whereModelsDiffer = (scores: ArrayLike<number>) => (scores[1] === scores[2] ? [0.5, 0.5] : [0, 1])
const whereFirstIsPredicted = (scores: ArrayLike<number>) => (scores[1] === 0 ? [-0.35, 0.3] : [0, -0.35])

const relevant: Ingredient = { name: 'relevant', value: ({ losses }) => (losses[0] === losses[1] ? 0 : 1) }
const informed = mixture('informed', [
  { share: 0.7, of: expectedLoss },
  { share: 0.3, of: relevant },
])

const cases = [
  { name: 'an error', values: always, mass: informed },
  { name: 'a ratio', values: whereFirstIsPredicted, mass: informed },
  { name: 'a difference, where most points have no mass', values: whereModelsDiffer, mass: pure(relevant) },
]

describe('draws as the reference does', () => {
  for (const digits of [2, 9])
    it.each(cases)(`$name, chances of ${digits} digits`, async ({ values, mass }) => {
      const pool = poolOf(digits)
      const [fast, reference] = [fastEngine(pool), memoryEngine(pool)]
      for (const [round, slope] of [0.6, 1.3, 0].entries()) {
        const controls = [readerOf(0.2, slope, always), readerOf(0.2, slope, whereFirstIsPredicted)]
        const question = { model, loss: readerOf(-0.3, 0.9 * slope, values), mass, controls }
        const request = { ...question, design: successive, size: 60, stream: { seed: 9, name: `audit/${round}` } }
        const [a, b] = [await fast.draw(request), await reference.draw(request)]
        expectSameDraws(a.draws, b.draws)
        expect(a.draws.map(({ scores }) => scores)).toEqual(b.draws.map(({ scores }) => scores))
        expectSameSurvey(a.survey, b.survey)
        for (const engine of [fast, reference]) await engine.take(a.draws.map(({ id }) => id))
      }
    })
})

const question = { model, loss: readerOf(-0.3, 0.8, whereFirstIsPredicted), mass: informed, controls: [readerOf(0, 1, always)] }

it('reads few scores, however many points there are', async () => {
  const { reader, reads } = countedReader(question.loss)
  await fastEngine(poolOf(9)).survey({ ...question, loss: reader })
  expect(reads()).toBeLessThan(size)
  const rounded = countedReader(question.loss)
  await fastEngine(poolOf(2)).survey({ ...question, loss: rounded.reader })
  expect(rounded.reads()).toBeLessThan(size / 8)
})

it('draws from points that are left as one that never knew the others, to the last bit', async () => {
  const request = { ...question, design: successive, size: 50 }
  const engine = fastEngine(poolOf(9))
  const taken: string[] = []
  for (let round = 0; round < 3; round++) {
    const asked = { ...request, stream: { seed: 7, name: `audit/${round}` } }
    const drawing = await engine.draw(asked)
    const fresh = fastEngine(poolOf(9))
    await fresh.take(taken)
    expect(drawing).toEqual(await fresh.draw(asked))
    const drawn = drawing.draws.map(({ id }) => id)
    await engine.take(drawn)
    await engine.take(drawn.slice(0, 5)) // once more changes nothing
    taken.push(...drawn)
  }
})

it('leaves to the reference what jumps between scores that are near each other, and points of which each is its own kind', async () => {
  const jumps = readerOf(0, 1, (scores) => (scores[0]! > -2.001 ? [0, 1] : [0.4, 0.9]))
  for (const [pool, loss] of [
    [poolOf(9), jumps],
    [poolOf(9, size), question.loss],
  ] as const) {
    const asked = { ...question, loss }
    expect(await fastEngine(pool).survey(asked)).toEqual(await memoryEngine(pool).survey(asked))
  }
})

it('has nothing to say of a pool of which all points are taken', async () => {
  const engine = fastEngine(poolOf(2))
  await engine.survey(question)
  await engine.take(ids)
  expect(await engine.survey(question)).toMatchObject({ points: 0, mass: 0 })
})

it('gives a profile with as many points and the same mean chance', async () => {
  for (const digits of [2, 9]) {
    const pool = poolOf(digits)
    const [a, b] = await Promise.all([fastEngine(pool), memoryEngine(pool)].map((each) => each.profile(model, untransformed)))
    const mean = ({ scores, counts }: { scores: Float64Array; counts: Float64Array }) =>
      scores.reduce((sum, score, k) => sum + sigmoid(score) * counts[k]!, 0) / size
    expect(a!.counts.reduce((x, y) => x + y, 0)).toBeCloseTo(size, 6)
    expect(Math.abs(mean(a!) / mean(b!) - 1)).toBeLessThan(1e-7)
  }
})

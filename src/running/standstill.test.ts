import { expect, it } from 'vitest'
import { dense } from '../core/features.ts'
import { linearModel } from '../core/model.ts'
import { uniform } from '../core/randomness.ts'
import { type LearnedRound, standstill } from './standstill.ts'

// Points on a line, x uniform in (−1, 1), of class "yes" above 0 but for every fiftieth: a model that cuts at c is wrong on 1/50 + 24/50 · |c| of them.
const classes = ['no', 'yes']
const lot = (stream: string, id: string) => uniform(5, stream, id)
const xOf = (id: string) => 2 * lot('x', id) - 1
const labelOf = (id: string) => classes[xOf(id) > 0 !== lot('flip', id) < 0.02 ? 1 : 0]!
const cutAt = (cut: number) => linearModel({ loss: 'logistic', classes, weights: [[1]], intercepts: [-cut] })
const features = async (ids: readonly string[]) => dense(Float64Array.from(ids, xOf), 1)

/** Rounds of fifty uniform draws, each with the model of the round before. */
function roundsOf(count: number, cut: (round: number) => number, name = 'p'): LearnedRound[] {
  return Array.from({ length: count }, (_, t) => {
    const ids = Array.from({ length: 50 }, (_, k) => `${name}${50 * t + k}`)
    const before = cut(t - 1)
    const draws = ids.map((id, k) => ({
      id,
      order: k + 1,
      probability: 1e-3,
      mass: 1,
      remaining: 1e3,
      scores: [xOf(id) - before],
    }))
    return { labels: 50 * (t + 1), draws, answers: new Map(ids.map((id) => [id, labelOf(id)])), model: cutAt(cut(t)) }
  })
}

/** About to stay where it is: by a hundredth to either side. */
const stuck = (t: number) => 0.3 + 0.01 * Math.sin(t)
const learning = (t: number) => 2.7 / (t + 3)

it('says that a model stays where it is, by how much it might have moved, and how wrong it was meanwhile', async () => {
  const found = await standstill(roundsOf(40, stuck), features)
  expect(found).toMatchObject({ labels: 1000 })
  expect(found!.fall + 2 * found!.noise).toBeLessThan(found!.error / 6)
  const error = 0.02 + 0.48 * 0.3
  expect(Math.abs(found!.error - error)).toBeLessThan(4.9 * Math.sqrt((error * (1 - error)) / 1000))
})

it('is quiet while a model learns', async () => {
  for (let seed = 0; seed < 20; seed++) expect(await standstill(roundsOf(40, learning, `s${seed}/`), features)).toBeUndefined()
})

it('is quiet where the noise would hide what is learned, and where labels are few', async () => {
  const restless = (t: number) => (t % 2 === 0 ? 0.9 : -0.9)
  expect(await standstill(roundsOf(8, restless), features)).toBeUndefined()
  expect(await standstill(roundsOf(6, stuck), features)).toBeUndefined()
  expect(await standstill([], features)).toBeUndefined()
})

import { describe, expect, it } from 'vitest'
import { expectedLossOf } from '../core/belief.ts'
import type { Label, RoundOpening } from '../core/record.ts'
import { errorOf } from '../losses/error.ts'
import { logistic } from '../losses/logistic.ts'
import { poolMean } from '../weights/pool-mean.ts'
import { estimateOf } from './round-estimate.ts'

const plan = { learner: { loss: logistic }, classes: ['no', 'yes'] }
const points = 40
const g = expectedLossOf(errorOf(logistic), [1])

/** A round of draws among points that are alike, all of which the model takes for "yes". */
function opening(design: string, ids: readonly string[], changes: Partial<RoundOpening> = {}): RoundOpening {
  const draws = ids.map((id, k) => {
    const probability = design === 'bernoulli' ? ids.length / points : 1 / (design === 'successive' ? points - k : points)
    return { id, order: k, probability, mass: 1, remaining: points - k, scores: [1] }
  })
  const controls = [{ predictedLoss: points * g, predictedVariance: points * g * (1 - g), largestUp: 1 - g, largestDown: g }]
  const survey = { points, mass: points, smallestMass: 1, controls }
  return {
    round: 1,
    stream: 'learn/1',
    strategy: 's',
    model: 'm',
    design,
    size: ids.length,
    survey,
    draws,
    ...changes,
  } as unknown as RoundOpening
}

const names = (count: number) => Array.from({ length: count }, (_, k) => `p${k}`)
const told = (...labels: readonly Label[]) => new Map(labels.map((label, k) => [`p${k}`, label]))
const estimate = (own: RoundOpening, answers: ReadonlyMap<string, Label>) => estimateOf(plan, own, answers)!

describe.each(['successive', 'bernoulli', 'multinomial'])('answers to a round of %s draws', (design) => {
  const own = opening(design, names(4))

  it('say of the model before what their weighted mean is, "cannot tell" being half an error', () => {
    const said = estimate(own, told('yes', 'no', null, 'no'))
    expect(said.value).toBeCloseTo(poolMean(design, own.draws, [0, 1, 0.5, 1], points), 12)
    expect(said).toMatchObject({ metric: 'error', about: 'model before this round', level: 0.95, answers: 4 })
  })

  it('leave more open the fewer there are, and lie on the side of what was answered', () => {
    const widthOf = (count: number, label: Label) => {
      const { low, high } = estimate(opening(design, names(count)), told(...new Array<Label>(count).fill(label)))
      return { low: low!, high: high!, width: high! - low! }
    }
    const [few, wrong, right] = [widthOf(4, 'no'), widthOf(30, 'no'), widthOf(30, 'yes')]
    expect(wrong.width).toBeLessThan(few.width)
    expect(wrong.low).toBeGreaterThan(right.high)
  })

  it('count "cannot tell" both ways', () => {
    const some = (label: Label) => told(...names(30).map((_, k) => (k % 3 === 0 ? label : 'yes')))
    const [unsaid, right, wrong] = [null, 'yes', 'no'].map((label) => estimate(opening(design, names(30)), some(label)))
    expect(unsaid!.low).toBeLessThanOrEqual(right!.low! + 1e-9)
    expect(unsaid!.high).toBeGreaterThanOrEqual(wrong!.high! - 1e-9)
    expect(unsaid!.high).toBeGreaterThan(right!.high!)
  })

  it('set no limits where some point could not be drawn', () => {
    const survey = { ...own.survey, smallestMass: 0 }
    expect(estimate({ ...own, survey }, told('yes'))).toMatchObject({ low: null, high: null, level: 0.95, answers: 1 })
  })

  it('are about the scores that are newest', () => {
    const draws = own.draws.map((draw) => ({ ...draw, predicting: [-1] }))
    expect(estimate({ ...own, draws }, told('yes', 'yes', 'yes', 'yes')).value).toBeCloseTo(
      poolMean(design, own.draws, [1, 1, 1, 1], points),
      12,
    )
  })
})

it('draws with replacement are evidence as independent ones are that expect each point as often', () => {
  const labels = told('no', 'yes', null, 'yes', 'yes', 'no', 'yes', 'yes')
  const [once, again] = ['bernoulli', 'multinomial'].map((design) => estimate(opening(design, names(8)), labels))
  expect([again!.low, again!.high]).toEqual([expect.closeTo(once!.low!, 12), expect.closeTo(once!.high!, 12)])
  // So many are expected that points certain to be drawn are evidence of themselves.
  const all = estimate(opening('bernoulli', names(40), { size: 400 }), told(...new Array<Label>(40).fill('no')))
  expect([all.low, all.high]).toEqual([expect.closeTo(1, 9), expect.closeTo(1, 9)])
})

it('a point that was drawn twice is evidence twice, and known once', () => {
  const [once, twice] = [names(3), [...names(3), 'p0', 'p0', 'p0']].map((ids) =>
    estimate(opening('multinomial', ids), told('no', 'no', 'no')),
  )
  expect(twice!.high! - twice!.low!).toBeLessThan(once!.high! - once!.low!)
  expect(twice!.answers).toBe(3)
  const all = opening('multinomial', [...names(40), 'p0'])
  const { low, high } = estimate(all, told(...new Array<Label>(40).fill('no')))
  expect([low, high]).toEqual([expect.closeTo(1, 9), expect.closeTo(1, 9)])
})

it('a round without draws says nothing, and an empty one of independent draws 0', () => {
  expect(estimateOf(plan, opening('top', names(2)), told('yes', 'no'))).toBeUndefined()
  expect(estimate(opening('bernoulli', []), told()).value).toBe(0)
})

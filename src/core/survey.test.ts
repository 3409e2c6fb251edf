import { expect, it } from 'vitest'
import type { Belief } from './belief.ts'
import { drawnIds, isFor, poolSizes, unanswered } from './record.ts'
import { lossMoments, strataSurvey, surveyor } from './survey.ts'

const beliefOf = (probabilities: number[], losses: number[]): Belief => ({
  probabilities: Float64Array.from(probabilities),
  losses: Float64Array.from(losses),
  forms: new Float64Array(0),
})

it('a survey adds up what may be drawn, and leaves points without mass out of every ratio', () => {
  const survey = surveyor(1)
  const points = [
    [beliefOf([0.8, 0.2], [0, 1]), 2],
    [beliefOf([0.5, 0.5], [0.25, 4]), 0.5],
    [beliefOf([0.4, 0.6], [0, 9]), 0],
  ] as const
  for (const [belief, mass] of points) {
    survey.add(belief, mass)
    survey.addControl(0, belief, mass)
  }
  const { controls, ...totals } = survey.survey([3, 4])
  expect(totals).toEqual({
    points: 3,
    mass: 2.5,
    largestMass: 2,
    smallestMass: 0,
    pseudoLoss: 14,
    rootPseudoLoss: 6,
    largestPseudoLoss: 9,
    pseudoLossPerMass: 1 / 2 + 4 / 0.5,
    margins: [3, 4],
  })
  const [{ predictedLoss, predictedVariance, largestDown, largestUp } = controls[0]!] = controls
  expect(predictedLoss).toBeCloseTo(0.2 + 2.125 + 5.4, 12)
  expect(predictedVariance).toBeCloseTo((0.2 - 0.04) / 2 + (0.5 * (0.0625 + 16) - 2.125 ** 2) / 0.5, 12)
  expect(largestDown).toBeCloseTo((2.125 - 0.25) / 0.5, 12)
  expect(largestUp).toBeCloseTo((4 - 2.125) / 0.5, 12)
})

it('a survey of no points has no masses, and one of strata nothing but its points and their mass', () => {
  expect(surveyor(0).survey()).toMatchObject({ points: 0, mass: 0, smallestMass: 0, largestMass: 0, margins: [], controls: [] })
  expect(strataSurvey(4, 2.5)).toEqual({ ...surveyor(0).survey(), points: 4, mass: 2.5 })
})

it('a belief has a mean loss, a variance that rounding cannot make negative, and a range', () => {
  expect(lossMoments(beliefOf([0.25, 0.75], [2, -1]))).toEqual({ mean: -0.25, variance: 1.6875, least: -1, most: 2 })
  expect(lossMoments(beliefOf([1 / 3, 1 / 3, 1 / 3], [0.1, 0.1, 0.1])).variance).toBeGreaterThanOrEqual(0)
})

const draw = (id: string) => ({ id, order: 1, probability: 1, mass: 1, remaining: 1, scores: [] })

it('a round asks once for a point that it drew twice, and for nothing that is answered', () => {
  const draws = ['b', 'a', 'b', 'c'].map(draw)
  expect(drawnIds({ draws })).toEqual(['b', 'a', 'b', 'c'])
  expect(unanswered({ draws, answers: new Map([['a', null]]) })).toEqual(['b', 'c'])
})

it('a round is for what the name of its randomness says', () => {
  expect((['learn', 'audit', 'given'] as const).filter((purpose) => isFor(purpose, { stream: 'audit/3' }))).toEqual(['audit'])
  expect(isFor('learn', { stream: 'relearn/1' })).toBe(false)
})

it('a pool was as large at each round as what could be drawn and what had been', () => {
  const survey = (points: number) => ({ ...surveyor(0).survey(), points })
  const rounds = [
    { draws: ['a', 'b'].map(draw), survey: survey(10) },
    { draws: ['c', 'c'].map(draw), survey: survey(8) },
    { draws: ['d'].map(draw), survey: survey(12) }, // five were added
  ]
  expect(poolSizes(rounds)).toEqual([10, 10, 15])
})

import { expect, it } from 'vitest'
import { type RoundView, RunningLimits } from '../../src/certificates/running.ts'
import type { ReadDraw, RunningRound } from '../../src/certificates/running-readings.ts'
import { sequenceOf } from '../../src/core/randomness.ts'
import { judged } from './misses.ts'
import { firstSeed } from './seeds.ts'

// A model that is wrong about every eighth point, and people who end every round as soon as they see one of these: they have no answer to it.
const points = 400
const rounds = 40
const batch = 10
const isWrong = (i: number) => i % 8 === 0
const mass = (i: number) => 1 + (i % 3)
const expects = (i: number) => 0.05 + 0.05 * (i % 5)

interface Ended {
  readonly round: RunningRound
  readonly drawn: readonly number[]
  /** Seen, without an answer. */
  readonly without: readonly number[]
}

/** `isLeftOut`: the point that ended a round is as if it had not been drawn. */
function runOf(seed: number, isLeftOut: boolean): Ended[] {
  const next = sequenceOf({ seed, name: 'learn' })
  let left = Array.from({ length: points }, (_, i) => i)
  return Array.from({ length: rounds }, () => {
    const keys = new Map(left.map((i) => [i, -Math.log(next()) / mass(i)]))
    const inOrder = left.toSorted((a, b) => keys.get(a)! - keys.get(b)!).slice(0, batch)
    const end = inOrder.findIndex(isWrong)
    const shown = end < 0 ? inOrder : inOrder.slice(0, isLeftOut ? end : end + 1)
    const without = end < 0 || isLeftOut ? [] : [inOrder[end]!]
    const round = roundOf(left, shown, without)
    left = left.filter((i) => !shown.includes(i))
    return { round, drawn: shown, without }
  })
}

const total = (some: readonly number[], of: (i: number) => number) => some.reduce((sum, i) => sum + of(i), 0)

function roundOf(left: readonly number[], drawn: readonly number[], without: readonly number[]): RunningRound {
  let all = total(left, mass)
  const draws = drawn.map((i): ReadDraw => {
    const probability = mass(i) / all
    all -= mass(i)
    return { loss: without.includes(i) ? null : isWrong(i) ? 1 : 0, mass: mass(i), probability, predictedLoss: expects(i) }
  })
  return {
    design: 'successive',
    isLearned: true,
    points: left.length,
    mass: total(left, mass),
    predictedLoss: total(left, expects),
    predictedVariance: total(left, (i) => (expects(i) * (1 - expects(i))) / mass(i)),
    largestUp: Math.max(...left.map((i) => (1 - expects(i)) / mass(i))),
    largestDown: Math.max(...left.map((i) => expects(i) / mass(i))),
    draws,
  }
}

/** Whether the limits for the points without an answer leave the truth out. */
function isMissed(seed: number, isLeftOut: boolean): boolean {
  const ended = runOf(seed, isLeftOut)
  const limits = new RunningLimits()
  for (const { round } of ended) limits.add(round)
  const views = ended.map((_, t): RoundView => {
    const since = ended.slice(t)
    const without = since.flatMap((each) => each.without)
    const found = since.flatMap(({ drawn }) => drawn).filter((i) => isWrong(i) && !without.includes(i)).length
    return { mostErrors: found, leastErrors: found, differing: 0, added: 0, gone: without.length }
  })
  const drawn = ended.flatMap((each) => each.drawn)
  const left = Array.from({ length: points }, (_, i) => i).filter((i) => !drawn.includes(i))
  const { low, high } = limits.limits(left.length, views)
  const errors = left.filter(isWrong).length
  return errors < low || errors > high
}

it('rounds that people end at points they do not like are as honest as others, if these points count as seen', async () => {
  expect(await judged((k) => isMissed(firstSeed + k, false))).toBe('as promised')
})

it('if these points are left out, the interval misses: nothing but right answers was seen', async () => {
  expect(await judged((k) => isMissed(firstSeed + k, true))).toBe('misses too often')
})

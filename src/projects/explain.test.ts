import { expect, it } from 'vitest'
import { dense } from '../core/features.ts'
import { uniform } from '../core/randomness.ts'
import { memoryEngine } from '../engines/memory.ts'
import { logisticLearner } from '../learners/margin-learner.ts'
import { learn } from '../loop.ts'
import { logistic } from '../losses/logistic.ts'
import { columnOracle } from '../oracles/column.ts'
import { memoryStore } from '../stores/memory.ts'
import { strategies } from '../strategies/catalogue.ts'
import { type ExplainedRound, explainer } from './explain.ts'

const classes = ['no', 'yes']
const ids = Array.from({ length: 60 }, (_, i) => `p${i}`)
const values = Float32Array.from({ length: 120 }, (_, k) => 2 * uniform(1, 'feature', `${k}`) - 1)
const labels = ids.map((_, i) => (values[2 * i]! + 0.3 * values[2 * i + 1]! > 0.1 ? 'yes' : 'no'))
const pool = { ids, features: dense(values, 2), labels, rows: [...ids.keys()] }
const plan = { pool, test: undefined, classes, loss: logistic, batch: 6, delta: 0.05 }

/** Rounds with what they drew, each beside what is said of it. */
async function followed(seed: number, rounds = 4) {
  const explain = explainer(plan)
  const told = []
  const oracle = columnOracle(new Map(ids.map((id, i) => [id, labels[i]!])))
  const run = { engine: memoryEngine(pool), store: memoryStore(), oracle, learner: logisticLearner(), classes, seed }
  for await (const round of learn({ ...run, strategy: strategies.paper, start: 10, batch: 6, rounds })) {
    const explained = explain(round)
    if (explained) told.push({ round, explained })
  }
  return told
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

it('says of a run of the paper what its record says, and what the formulas say', async () => {
  const rounds = await followed(3)
  expect(rounds).toHaveLength(4)
  for (const { round, explained } of rounds) {
    const { points, bound, truth } = explained
    const n = points.length
    expect(n).toBe(round.survey.points)
    expect(points.filter(({ isDrawn }) => isDrawn).map(({ id }) => id)).toHaveLength(round.draws.length)
    for (const { id, probability, scores } of round.draws) {
      const point = points.find((each) => each.id === id)!
      expect(point.inclusion).toBeCloseTo(probability, 10)
      expect(point.score).toBeCloseTo(scores[0]!, 10)
    }
    expect(sum(points.map(({ p }) => p))).toBeCloseTo(1, 12)
    for (const { score, pseudoLabel, pseudoLoss, loss } of points) {
      expect(pseudoLabel).toBe(score >= 0 ? 'no' : 'yes')
      expect(pseudoLoss).toBeGreaterThanOrEqual(loss!)
      expect(pseudoLoss).toBeCloseTo(Math.log(1 + Math.exp(Math.abs(score))), 10)
    }
    expect(bound.mass).toBeCloseTo(round.bound!.mass, 8)
    expect(bound.uniformMass).toBeCloseTo(n * sum(points.map(({ pseudoLoss }) => pseudoLoss)), 8)
    expect(truth!.weighted).toBeCloseTo(
      sum(points.map(({ isDrawn, loss, inclusion }) => (isDrawn ? loss! / inclusion : 0))) / n,
      12,
    )
    expect(truth!.trueLoss).toBeLessThanOrEqual(truth!.generalisation + truth!.weighted + truth!.deviation + 1e-12)
    expect(truth!.variance).toBeCloseTo(sum(points.map(({ loss, inclusion }) => loss! ** 2 * (1 / inclusion - 1))) / n ** 2, 12)
  }
})

it('B is unbiased for the mean loss, as far as its variance lets it stray, and without weights it is not', async () => {
  const firsts: ExplainedRound[] = []
  for (let seed = 0; seed < 300; seed++) firsts.push((await followed(seed, 1))[0]!.explained)
  const excess = (b: (round: ExplainedRound) => number) => sum(firsts.map((round) => b(round) - round.truth!.mean))
  const spread = Math.sqrt(sum(firsts.map(({ truth }) => truth!.variance)))
  expect(Math.abs(excess(({ truth }) => truth!.weighted))).toBeLessThan(4.9 * spread) // one false alarm in a million
  const unweighted = ({ points }: ExplainedRound) => sum(points.map(({ isDrawn, loss }) => (isDrawn ? loss! : 0))) / points.length
  expect(Math.abs(excess(unweighted))).toBeGreaterThan(4.9 * spread)
})

it('more than two classes are refused', () => {
  expect(() => explainer({ ...plan, classes: ['a', 'b', 'c'] })).toThrow(
    '--explain: two classes are required, as in the paper, got 3',
  )
})

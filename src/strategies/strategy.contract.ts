import { describe, expect, it } from 'vitest'
import { dense } from '../core/features.ts'
import { uniform } from '../core/randomness.ts'
import { isRandom } from '../designs/top.ts'
import { memoryEngine } from '../engines/memory.ts'
import { logisticLearner } from '../learners/margin-learner.ts'
import { multinomialLearner } from '../learners/multinomial.ts'
import { type LearnPlan, learn, type Round } from '../loop.ts'
import { columnOracle } from '../oracles/column.ts'
import type { Oracle } from '../oracles/oracle.ts'
import { memoryStore } from '../stores/memory.ts'
import type { Strategy } from './strategy.ts'

const columns = 3
const ids = Array.from({ length: 300 }, (_, i) => `p${i}`)
const featuresOf = (id: string) => [0, 1, 2].map((j) => 2 * uniform(1, `feature ${j}`, id) - 1)
const truth = new Map(
  ids.map((id) => {
    const [a, b] = featuresOf(id) as [number, number]
    const score = 4 * a - 3 * b + 2 * (uniform(1, 'noise', id) - 0.5)
    return [id, score > 1 ? 'high' : score > -1 ? 'middle' : 'low']
  }),
)
const two = new Map([...truth].map(([id, label]) => [id, label === 'low' ? 'low' : 'high']))

/** What every strategy must do, in whole runs. */
export function describeStrategy(strategy: Strategy): void {
  const isDrawn = isRandom(strategy.design.name)
  const isExact = ['successive', 'top'].includes(strategy.design.name) // the number of draws is the number asked for, all distinct

  const planWith = (changes: Partial<LearnPlan> = {}): LearnPlan => ({
    engine: engineOver(ids),
    store: memoryStore(),
    oracle: columnOracle(two),
    learner: logisticLearner(),
    strategy,
    classes: ['low', 'high'],
    seed: 7,
    rounds: 4,
    ...changes,
  })

  describe(`${strategy.name} keeps the strategy contract`, () => {
    it('draws as many points as were asked for, none of them twice, and gives the same for the same seed', async () => {
      const rounds = await all(planWith())
      expect(rounds.map(({ round }) => round)).toEqual([0, 1, 2, 3, 4])
      const perRound = rounds.flatMap(({ draws }) => [...new Set(draws.map(({ id }) => id))])
      expect(new Set(perRound).size).toBe(perRound.length)
      expect(rounds.at(-1)!.labels).toBe(perRound.length)
      if (isExact) expect(rounds.map(({ draws }) => draws.length)).toEqual([10, 10, 10, 10, 10])
      for (const { draws } of rounds) expect(draws.map(({ order }) => order)).toEqual(draws.map((_, k) => k + 1))
      expect(trace(await all(planWith()))).toEqual(trace(rounds))
      expect(trace(await all(planWith({ seed: 8 })))).not.toEqual(trace(rounds))
    })

    it('draws the same points whatever the order of the pool', async () => {
      const drawn = (rounds: readonly Round[]) => rounds.map(({ draws }) => draws.map(({ id }) => id))
      const turned = await all(planWith({ engine: engineOver(ids.toReversed()) }))
      expect(drawn(turned)).toEqual(drawn(await all(planWith())))
    })

    it('has probabilities on record and an estimate if it throws dice, and neither estimate nor bound if not', async () => {
      const [start, ...rest] = await all(planWith())
      expect(start!.estimate).toBeDefined()
      for (const { draws, estimate, bound } of rest) {
        for (const { probability } of draws) expect(isDrawn ? probability > 0 && probability <= 1 : probability === 1).toBe(true)
        expect([estimate !== undefined, bound !== undefined]).toEqual([isDrawn, isDrawn])
      }
      if (!isDrawn) expect(strategy.summary).toContain('no unbiased estimate')
    })

    it('works with three classes, and with a pool that runs out', async () => {
      const classes = ['low', 'middle', 'high']
      const learner = multinomialLearner()
      const few = ids.slice(0, 25)
      const plan = { classes, learner, oracle: columnOracle(truth), engine: engineOver(few), rounds: 6 }
      const rounds = await all(planWith(plan))
      const drawn = rounds.flatMap(({ draws }) => draws.map(({ id }) => id))
      if (isExact) expect(drawn.toSorted()).toEqual(few.toSorted())
      for (const { model } of rounds) expect(model.classes).toEqual(classes)
    })

    it('continues with the same draws after being stopped between rounds', async () => {
      const whole = trace(await all(planWith()))
      const store = memoryStore()
      for await (const { round } of learn(planWith({ store }))) if (round === 1) break
      expect(trace(await all(planWith({ store })))).toEqual(whole.slice(2))
    })

    it('continues with the same draws, asking only what is open, after being stopped in the middle of a round', async () => {
      const whole = trace(await all(planWith()))
      const store = memoryStore()
      const before: Round[] = []
      await expect(async () => {
        for await (const round of learn(planWith({ store, oracle: leavesAfter(17) }))) before.push(round)
      }).rejects.toThrow('gone to lunch')
      const asked: string[] = []
      const counts: Oracle = {
        name: 'counts',
        close: async () => {},
        label(open) {
          asked.push(...open)
          return columnOracle(two).label(open)
        },
      }
      const after = await all(planWith({ store, oracle: counts }))
      expect([...trace(before), ...trace(after)]).toEqual(whole)
      expect(asked.length + 17).toBe(whole.at(-1)!.labels)
    })

    it('does not mind who answers first, to the last bit', async () => {
      const reversed: Oracle = {
        name: 'reversed',
        close: async () => {},
        label: (open, signal) => columnOracle(two).label(open.toReversed(), signal),
      }
      const [one, other] = [memoryStore(), memoryStore()]
      const expected = trace(await all(planWith({ store: one })))
      expect(trace(await all(planWith({ store: other, oracle: reversed })))).toEqual(expected)
      const orderOf = async (store: typeof one) => [...(await store.rounds())[1]!.answers.keys()]
      expect(await orderOf(other)).toEqual((await orderOf(one)).toReversed()) // they did arrive in another order
    })
  })
}

function engineOver(order: readonly string[]) {
  return memoryEngine({ ids: order, features: dense(Float32Array.from(order.flatMap(featuresOf)), columns) })
}

function leavesAfter(answers: number): Oracle {
  let answered = 0
  return {
    name: 'leaves',
    close: async () => {},
    async *label(asked) {
      for await (const answer of columnOracle(two).label(asked)) {
        if (answered++ === answers) throw new Error('gone to lunch')
        yield answer
      }
    },
  }
}

async function all(plan: LearnPlan): Promise<Round[]> {
  const rounds = []
  for await (const round of learn(plan)) rounds.push(round)
  return rounds
}

/** What must be equal between two runs that are the same. */
const trace = (rounds: readonly Round[]) =>
  rounds.map(({ round, labels, draws, estimate, bound, model }) => ({ round, labels, draws, estimate, bound, model: model.id }))

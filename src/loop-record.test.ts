import { describe, expect, it } from 'vitest'
import { boundConstant } from './bounds/paper-bound.ts'
import { dense } from './core/features.ts'
import type { RunFacts } from './core/record.ts'
import { memoryEngine } from './engines/memory.ts'
import { importLabels } from './import-labels.ts'
import { logisticLearner } from './learners/margin-learner.ts'
import { type LearnPlan, learn, type Round } from './loop.ts'
import { columnOracle } from './oracles/column.ts'
import { memoryStore } from './stores/memory.ts'
import type { GrowingStore } from './stores/store.ts'
import { strategies } from './strategies/catalogue.ts'

// What a run reads from its record and leaves on it.

const ids = Array.from({ length: 40 }, (_, i) => `p${i}`)
const values = Float32Array.from(ids, (_, i) => Math.sin(7 * i))
const truth = new Map(ids.map((id, i) => [id, Math.sin(7 * i) + 0.4 * Math.cos(3 * i) > 0 ? 'yes' : 'no']))
const engine = () => memoryEngine({ ids, features: dense(values, 1) })

function planOn(store: GrowingStore, changes: Partial<LearnPlan> = {}): LearnPlan {
  return {
    engine: engine(),
    store,
    oracle: columnOracle(truth),
    learner: logisticLearner(),
    strategy: strategies.alis,
    classes: ['no', 'yes'],
    seed: 3,
    start: 6,
    batch: 4,
    rounds: 2,
    ...changes,
  }
}

const all = (plan: LearnPlan): Promise<Round[]> => Array.fromAsync(learn(plan))

describe('a plan', () => {
  it.each<[Partial<LearnPlan>, string]>([
    [{ rounds: undefined }, 'plan: rounds or budget is required, got neither'],
    [{ rounds: 0 }, 'rounds: must be a whole number of at least 1, got 0'],
    [{ rounds: undefined, budget: 2.5 }, 'budget: must be a whole number of at least 1, got 2.5'],
  ])('is refused before anything is on record, where it cannot work: %o', async (changes, message) => {
    const store = memoryStore()
    await expect(all(planOn(store, changes))).rejects.toThrow(message)
    expect(await store.rounds()).toEqual([])
  })

  it('draws ten points a round and to start with, if nothing is said', async () => {
    const { start: _, batch: __, ...plan } = planOn(memoryStore())
    expect((await all(plan)).map(({ draws }) => draws.length)).toEqual([10, 10, 10])
  })

  it('says that its seed was chosen, unless it was not', async () => {
    const begun: RunFacts[] = []
    const store = memoryStore()
    const noting = (): GrowingStore => ({ ...store, begin: async (run) => void begun.push(run) })
    await learn(planOn(noting())).next()
    await learn(planOn(noting(), { seedChosen: false })).next()
    expect(begun.map(({ seedChosen }) => seedChosen)).toEqual([true, false])
  })

  it('draws nothing more once it is called off', async () => {
    const store = memoryStore()
    const off = new AbortController()
    const run = learn(planOn(store, { signal: off.signal }))
    await run.next()
    off.abort(new Error('enough'))
    await expect(run.next()).rejects.toThrow('enough')
    expect(await store.rounds()).toHaveLength(1)
  })

  it('spends what there is to ask for where some labels were given', async () => {
    const store = memoryStore()
    const labels = new Map(ids.slice(0, 5).map((id) => [id, truth.get(id)!]))
    await importLabels({ engine: engine(), store, labels, classes: ['no', 'yes'], seed: 3 })
    const rounds = await all(planOn(store, { rounds: undefined, budget: 1000, batch: 20 }))
    expect(rounds.map(({ labels }) => labels)).toEqual([6, 26, 35])
  })
})

describe('what is said of a model', () => {
  it('is on record once for every round, and not again where nothing has changed', async () => {
    const store = memoryStore()
    const rounds = await all(planOn(store))
    const looks = await store.looks()
    expect(looks.map(({ model }) => model)).toEqual(rounds.map(({ model }) => model.id))
    expect(looks.map(({ rounds }) => rounds)).toEqual([1, 2, 3])
    expect(looks.map(({ now }) => now)).toEqual(rounds.map(({ now }) => now && { ...now, about: undefined }))
    await all(planOn(store))
    expect(await store.looks()).toHaveLength(3)
  })

  it('is said anew where an answer was revised since', async () => {
    const store = memoryStore()
    await all(planOn(store))
    const [{ draws } = { draws: [] }] = await store.rounds()
    const { id } = draws[0]!
    await store.revise(0, id, truth.get(id) === 'yes' ? 'no' : 'yes')
    expect(await all(planOn(store))).toEqual([])
    const looks = await store.looks()
    expect(looks).toHaveLength(4)
    expect(looks.at(-1)).toMatchObject({ rounds: 3, revisions: 1 })
  })

  it('was not lost with a run that was stopped before it could say it', async () => {
    const whole = memoryStore()
    await all(planOn(whole))
    const store = memoryStore()
    const stopped: GrowingStore = {
      ...store,
      keepLook: async (look) => {
        if (look.rounds === 3) throw new Error('stopped')
        await store.keepLook(look)
      },
    }
    await expect(all(planOn(stopped))).rejects.toThrow('stopped')
    expect(await store.looks()).toHaveLength(2)
    await all(planOn(store))
    expect(await store.looks()).toEqual(await whole.looks())
  })
})

it('keeps the model after each round under its number, also where the run was stopped before it could', async () => {
  const store = memoryStore()
  const stopped: GrowingStore = {
    ...store,
    keepModel: async (model, round) => {
      if (round === 1) throw new Error('stopped')
      await store.keepModel(model, round)
    },
  }
  await expect(all(planOn(stopped))).rejects.toThrow('stopped')
  await all(planOn(store))
  expect((await store.models()).map(({ round }) => round)).toEqual([0, 1, 2])
})

describe('a round', () => {
  it('bounds what is drawn at random, at the chance that is asked for', async () => {
    for (const delta of [undefined, 0.2]) {
      const rounds = await all(planOn(memoryStore(), { strategy: strategies.paper, ...(delta && { delta }) }))
      for (const { bound } of rounds) expect(bound!.constant).toBe(boundConstant(delta ?? 0.05))
    }
    const [start, ...later] = await all(planOn(memoryStore(), { strategy: strategies.uncertainty }))
    expect(start!.bound).toBeDefined()
    for (const round of later) expect(round).not.toHaveProperty('bound')
  })

  it('estimates once, however often it is asked', async () => {
    for (const round of await all(planOn(memoryStore()))) {
      expect(round.estimate).toBeDefined()
      expect(round.estimate).toBe(round.estimate)
    }
  })

  it('says with which model its masses were made, what it drew and from how many', async () => {
    const store = memoryStore()
    const rounds = await all(planOn(store))
    const kept = await store.rounds()
    expect(rounds.map(({ draws, survey, drawnWith }) => ({ draws, survey, model: drawnWith }))).toEqual(
      kept.map(({ draws, survey, model }) => ({ draws, survey, model })),
    )
    expect(kept.map(({ stream, strategy }) => [stream, strategy])).toEqual([
      ['learn/0', 'uniform'],
      ['learn/1', 'alis'],
      ['learn/2', 'alis'],
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { dense } from './core/features.ts'
import { memoryEngine } from './engines/memory.ts'
import { importLabels } from './import-labels.ts'
import { logisticLearner } from './learners/margin-learner.ts'
import { learn } from './loop.ts'
import { columnOracle } from './oracles/column.ts'
import { memoryStore } from './stores/memory.ts'
import type { Store } from './stores/store.ts'
import { strategies } from './strategies/catalogue.ts'

const classes = ['no', 'yes']
const ids = Array.from({ length: 60 }, (_, i) => `p${i}`)
const truth = new Map(ids.map((id, i) => [id, i % 3 === 0 ? 'yes' : 'no']))
const engine = () =>
  memoryEngine({
    ids,
    features: dense(
      Float64Array.from(ids, (_, i) => (i % 3 === 0 ? 1 : -1) + i / 60),
      1,
    ),
  })
const givenLabels = new Map(ids.slice(0, 6).map((id) => [id, truth.get(id)!]))

function planOn(store: Store, rounds = 2) {
  const oracle = columnOracle(truth)
  const learner = logisticLearner()
  return { engine: engine(), store, oracle, learner, strategy: strategies.alis, classes, seed: 5, start: 4, batch: 4, rounds }
}

describe('labels that are there before the first draw', () => {
  it('teach the first model, are never drawn, cost no budget, and are no part of any estimate', async () => {
    const store = memoryStore()
    expect(await importLabels({ ...planOn(store), labels: givenLabels })).toEqual({ labels: 6, drawn: 0, contradicting: [] })
    const rounds = []
    for await (const round of learn(planOn(store))) rounds.push(round)
    expect(rounds.map(({ labels }) => labels)).toEqual([4, 8, 12])
    expect(rounds[0]!.survey.points).toBe(54)
    expect(rounds.flatMap(({ draws }) => draws).some(({ id }) => givenLabels.has(id))).toBe(false)
    expect(rounds[0]!.draws[0]!.scores[0]).not.toBe(0) // by a model that knows something
  })

  it('do not change what nobody gives: without them the first model knows nothing', async () => {
    for await (const { draws } of learn(planOn(memoryStore(), 1))) return expect(draws[0]!.scores).toEqual([0])
  })

  it('leave answers to draws as they are, and labels that are missing out', async () => {
    const store = memoryStore()
    for await (const _ of learn(planOn(store, 1)));
    const drawn = (await store.rounds()).flatMap(({ draws }) => draws.map(({ id }) => id))
    const labels = new Map([...drawn.map((id): [string, string] => [id, 'yes']), ['p50', null] as const, ['p51', 'no'] as const])
    labels.delete('p51')
    const left = ids.find((id) => !drawn.includes(id))!
    expect(await importLabels({ ...planOn(store), labels: new Map([...labels, [left, 'no']]) })).toEqual({
      labels: 1,
      drawn: drawn.length,
      contradicting: drawn.filter((id) => truth.get(id) === 'no').map((id) => ({ id, given: 'yes', stands: 'no' })),
    })
  })
})

describe('what is refused', () => {
  it('a label that is no class, and a point that is none', async () => {
    const store = memoryStore()
    await expect(importLabels({ ...planOn(store), labels: new Map([['p1', 'maybe']]) })).rejects.toThrow(
      'labels: one of no, yes is required, got "maybe" for "p1"',
    )
    await expect(importLabels({ ...planOn(store), labels: new Map([['q1', 'no']]) })).rejects.toThrow('q1')
    expect(await store.rounds()).toEqual([])
  })

  it('an open round: its draws come first', async () => {
    const store = memoryStore()
    const plan = planOn(store)
    const label = () => {
      throw new Error('gone')
    }
    await expect(learn({ ...plan, oracle: { ...plan.oracle, label } }).next()).rejects.toThrow('gone')
    await expect(importLabels({ ...plan, labels: givenLabels })).rejects.toThrow(
      'labels: the round that is open must be finished first, got 4 points waiting for an answer',
    )
  })

  it('labels in the midst of a round of an audit; between its rounds they are a round of their own', async () => {
    const store = memoryStore()
    const plan = planOn(store)
    await importLabels({ ...plan, labels: new Map([['p1', 'no']]) })
    const [before] = await store.rounds()
    const ask = (round: number, id: string) =>
      store.openRound({ ...before!, round, stream: `audit/${round}`, draws: [{ ...before!.draws[0]!, id }] })
    await ask(1, 'p2')
    await expect(importLabels({ ...plan, labels: givenLabels })).rejects.toMatchObject({
      code: 'bad-input',
      message: 'labels: the round that is open must be finished first, got 1 points waiting for an answer',
      hint: expect.stringContaining('Finish or close the open round first'),
    })
    await store.answer(1, 'p2', 'yes')
    await expect(importLabels({ ...plan, labels: givenLabels })).rejects.toThrow('got 0 points waiting')
    await store.closeRound(1)
    expect(await importLabels({ ...plan, labels: givenLabels })).toMatchObject({ labels: 4, drawn: 2 })
    await ask(3, 'p40')
    const streams = (await store.rounds()).map(({ stream }) => stream)
    expect(streams).toEqual(['given/0', 'audit/1', 'given/2', 'audit/3'])
  })
})

it('an import that was cut short is finished by the next one, and nothing is learned before', async () => {
  const store = memoryStore()
  const broken: Store = {
    ...store,
    async answer(round, id, label) {
      if (id === 'p3') throw new Error('killed')
      await store.answer(round, id, label)
    },
  }
  await expect(importLabels({ ...planOn(broken), labels: givenLabels })).rejects.toThrow('killed')
  await expect(learn(planOn(store)).next()).rejects.toThrow('labels: an import that was cut short must be finished first')
  await importLabels({ ...planOn(store), labels: new Map([...givenLabels, ['p20', 'no']]) })
  const rounds = await store.rounds()
  expect(rounds.map(({ stream, answers, isClosed }) => [stream, answers.size, isClosed])).toEqual([
    ['given/0', 6, true],
    ['given/1', 1, true],
  ])
})

import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { audit } from '../../src/audit.ts'
import { dense } from '../../src/core/features.ts'
import type { Model } from '../../src/core/model.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import { importLabels } from '../../src/import-labels.ts'
import { logisticLearner } from '../../src/learners/margin-learner.ts'
import { learn } from '../../src/loop.ts'
import { stratifyModel } from '../../src/losses/strata.ts'
import type { Oracle } from '../../src/oracles/oracle.ts'
import { question } from '../../src/questions/spec.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import type { Store } from '../../src/stores/store.ts'
import { strategies } from '../../src/strategies/catalogue.ts'

// The promise that everything rests on: what a step depends on is on record before the step is taken. A store that takes its time tells.

const ids = Array.from({ length: 40 }, (_, i) => `p${i}`)
const features = dense(
  Float32Array.from(ids, (_, i) => Math.sin(i)),
  1,
)
const labelOf = (id: string) => (Math.sin(Number(id.slice(1))) > 0 ? 'yes' : 'no')
const classes = ['no', 'yes']
const learner = logisticLearner()

/** Parts of a run that note what happens, and what happens while a write is under way. */
function watched(store = memoryStore()) {
  const events: string[] = []
  const underWay: string[] = []
  const happens = (event: string) => void events.push([event, ...underWay].join(' during '))

  const noted =
    <Args extends unknown[], Result>(name: string, work: (...args: Args) => Result) =>
    (...args: Args): Result => {
      happens(name)
      return work(...args)
    }
  const write =
    <Args extends unknown[]>(name: string, work: (...args: Args) => Promise<void>) =>
    async (...args: Args): Promise<void> => {
      happens(name)
      underWay.push(name)
      await delay(3)
      await work(...args)
      underWay.splice(underWay.indexOf(name), 1)
    }
  const slow: Store = {
    ...store,
    begin: write('begin', store.begin),
    openRound: write('open', store.openRound),
    answer: write('answer', store.answer),
    closeRound: write('close', store.closeRound),
    keepModel: write('keep model', store.keepModel),
    keepLook: write('keep look', store.keepLook),
    rounds: noted('read', store.rounds),
  }

  const pool = memoryEngine({ ids, features })
  const engine: Engine = {
    ...pool,
    draw: noted('draw', pool.draw),
    take: write('take', pool.take),
    contents: noted('show', pool.contents),
  }
  const { stratify } = stratifyModel(learner.loss, classes.length)
  const auditing = (model: Model) => {
    const strata = pool.stratified(model, stratify)
    const noting = { ...strata, draw: noted('draw', strata.draw), take: write('take', strata.take) }
    return {
      subject: { pool: noting, frame: { classes, models: ['model'], slices: [] }, model: model.id },
      store: slow,
      oracle,
      questions: [question('error')],
      seed: 7,
      batch: 2,
    }
  }
  const oracle: Oracle = {
    name: 'watched',
    async *label(asked) {
      for (const { id } of await engine.contents(asked)) yield { id, label: labelOf(id) }
    },
    close: async () => {},
  }
  return { events, happens, auditing, parts: { store: slow, engine, oracle, classes, seed: 7 } }
}

const learning = { learner, strategy: strategies.alis, start: 2, batch: 2, rounds: 1 }
/** Where learning begins, and later: then some points along the boundary are drawn before, to look at their features. */
const firstRound = ['draw', 'open', 'take', 'show', 'answer', 'answer', 'close', 'keep model', 'take', 'keep look', 'round']
const learningRound = ['draw', ...firstRound]
const auditRound = ['draw', 'open', 'take', 'show', 'answer', 'answer', 'round', 'close']

it('learn() shows a point once its draw is on record, and goes on once its answers are', async () => {
  const { events, happens, parts } = watched()
  for await (const _ of learn({ ...parts, ...learning })) happens('round')
  happens('end')
  expect(events).toEqual(['begin', 'read', 'take', ...firstRound, ...learningRound, 'end'])
})

it('learn() closes what an audit left open, and keeps the model of a run that was stopped, before it draws', async () => {
  const store = memoryStore()
  const before = watched(store)
  const rounds = await Array.fromAsync(learn({ ...before.parts, ...learning }))
  const ends: Oracle = { name: 'ends', async *label() {}, close: async () => {} }
  await Array.fromAsync(audit({ ...before.auditing(rounds.at(-1)!.model), oracle: ends, budget: 2 }))

  const { events, happens, parts } = watched(store)
  for await (const _ of learn({ ...parts, ...learning, rounds: 2 })) happens('round')
  expect(events).toEqual(['begin', 'read', 'take', 'close', 'keep model', 'take', 'keep look', ...learningRound])
})

it('audit() shows a point once its draw is on record, and goes on once its answers are', async () => {
  const { events, happens, auditing } = watched()
  const model = await learner.fit(
    { features, labels: ids.map((id) => classes.indexOf(labelOf(id))), weights: ids.map(() => 1) },
    classes,
  )
  for await (const _ of audit({ ...auditing(model), budget: 4 })) happens('round')
  happens('end')
  expect(events).toEqual(['begin', 'read', 'read', 'take', ...auditRound, ...auditRound, 'end'])

  // Of another model that was left in the midst of a round: closed before anything is drawn.
  const ends: Oracle = { name: 'ends', async *label() {}, close: async () => {} }
  await Array.fromAsync(audit({ ...auditing(model), budget: 6, oracle: ends }))
  events.length = 0
  const other = await learner.fit({ features, labels: ids.map(() => 1), weights: ids.map(() => 1) }, classes)
  for await (const _ of audit({ ...auditing(other), budget: 2 })) happens('round')
  expect(events).toEqual(['begin', 'read', 'close', 'read', 'take', ...auditRound])
})

it('an import closes its round once every label is on record, and is over once that is', async () => {
  const { events, happens, parts } = watched()
  await importLabels({ ...parts, labels: new Map([['p1', 'yes'], ['p2', 'no']]) }) // biome-ignore format: two labels
  happens('end')
  expect(events).toEqual(['begin', 'read', 'take', 'open', 'answer', 'answer during answer', 'close', 'end'])
})

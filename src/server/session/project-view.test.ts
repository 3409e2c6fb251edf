import { describe, expect, it } from 'vitest'
import { auditOpening, begunProject, emptyProject, labelling, loaded, opening, settings } from '../../../test/server/fixture.ts'
import { projectSchema } from '../../protocol/project.ts'
import { broadcast } from './broadcast.ts'
import { openingPhase, projectView } from './project-view.ts'
import { openState, type Source } from './state.ts'

async function stateOf(source: Source = { kind: 'known' }, project = begunProject()) {
  const state = await openState(
    { project: await project, name: 'sub/letters.alis', source, events: broadcast(() => {}) },
    () => {},
  )
  state.loaded = loaded
  return state
}

const inputs = { model: 'new', points: 90, expected: 0.1, plain: 0.09, informed: 0.03 }

describe('a project', () => {
  it('is shown by what is on record, before its pool is loaded too', async () => {
    const state = await stateOf()
    state.loaded = undefined
    const view = projectView(state)
    expect(projectSchema.parse(view)).toEqual(view)
    expect(view).toMatchObject({
      name: 'letters',
      path: 'sub/letters.alis',
      pool: 'letters.csv',
      points: 0,
      view: { kind: 'row' },
    })
    expect(view.classes.map(({ name, key }) => name + key)).toEqual(['no1', 'yes2'])
    expect(view).toMatchObject({
      purpose: 'learn',
      plan: { strategy: 'alis', batch: 3, budget: 400 },
      answers: 0,
      certificates: [],
    })
  })

  it('counts answers by class, "cannot tell" last, and none that were there before', async () => {
    const state = await stateOf()
    await state.record.open(opening(0, ['g'], { stream: 'given/0' }))
    await state.record.answer(0, 'g', 'yes')
    await state.record.close(0)
    await state.record.open(opening(1, ['a', 'b', 'c']))
    for (const [id, label] of [
      ['a', null],
      ['b', 'yes'],
      ['c', 'yes'],
    ] as const)
      await state.record.answer(1, id, label)
    expect(projectView(state)).toMatchObject({
      answers: 3,
      byClass: [
        { label: 'no', answers: 0 },
        { label: 'yes', answers: 2 },
        { label: null, answers: 1 },
      ],
    })
  })

  it('has a forecast for its newest model only', async () => {
    const state = await stateOf()
    state.forecastInputs = inputs
    expect(projectView(state)).not.toHaveProperty('forecast')
    state.models = [
      { id: 'old', round: 0 },
      { id: 'new', round: 1 },
    ]
    const { model, forecast } = projectView(state)
    expect(model).toEqual({ id: 'new', after: 2 })
    expect(forecast!.map(({ tolerance }) => tolerance)).toEqual([0.1, 0.05, 0.03, 0.02, 0.01])
    state.forecastInputs = { ...inputs, points: 0 }
    expect(projectView(state).forecast).toEqual([])
    state.models = [...state.models, { id: 'newer', round: 2 }]
    expect(projectView(state)).not.toHaveProperty('forecast')
  })

  it('that is new is shown by what was asked for', async () => {
    const plan = { strategy: 'uniform', batch: 5, budget: 20 }
    const beginning = {
      path: '/pools/new.csv',
      wishes: {},
      classes: ['no', 'yes'],
      plan,
      start: 3,
      loss: 'logistic',
      l2: 1,
    } as const
    const view = projectView(await stateOf({ kind: 'new', beginning, labelling }, emptyProject()))
    expect(view).toMatchObject({
      question: 'Vowel?',
      pool: 'new.csv',
      plan,
      strategy: { name: 'uniform', title: 'Plain random' },
    })
  })
})

describe('the next round', () => {
  it('is the start of learning first, then a batch, and never larger than what is left', async () => {
    const state = await stateOf()
    state.settings = { ...settings, start: 7 }
    state.plan = { ...state.plan, batch: 4 }
    expect(openingPhase(state, 'draw')).toEqual({
      kind: 'opening',
      purpose: 'learn',
      number: 1,
      step: 'draw',
      answers: 0,
      points: 100,
      size: 7,
    })
    await state.record.open(opening(0, ['a', 'b', 'a']))
    await state.record.answer(0, 'a', 'yes')
    await state.record.answer(0, 'b', null)
    expect(openingPhase(state, 'learn')).toMatchObject({ number: 2, answers: 1, points: 98, size: 4 })
    state.nextPlan = { ...state.plan, batch: 6 }
    expect(openingPhase(state, 'learn')).toMatchObject({ size: 6 })
    state.loaded = { ...loaded, points: 5 }
    expect(openingPhase(state, 'learn')).toMatchObject({ points: 3, size: 3 })
  })

  it('is one of the audit under way, in its batches', async () => {
    const state = await stateOf()
    await state.audits.start({ id: 'sha256:m', round: 0 }, { budget: 30, level: 0.9 }, settings)
    await state.record.open(auditOpening([], ['a']))
    expect(openingPhase(state, 'score')).toMatchObject({ purpose: 'audit', number: 2, size: 10 })
  })
})

import { expect, it } from 'vitest'
import { opening, outcomeOf } from '../../test/server/fixture.ts'
import { linearModel } from '../core/model.ts'
import type { Label, RoundFacts } from '../core/record.ts'
import { certifiedModel, deliveredModel } from './certified-model.ts'

const kept = (weight: number, round: number) => ({
  model: linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [[weight]], intercepts: [0] }),
  round,
  time: 'then',
})
const [first, second] = [kept(1, 0), kept(2, 1)]
const audited = (answer: Label): RoundFacts => ({
  ...opening(0, ['p1'], { stream: 'audit/0' }),
  answers: new Map([['p1', answer]]),
  revisions: [],
  isClosed: true,
})
const certificates = [{ text: outcomeOf(first.model.id, { p1: 'yes' }).text }]
const record = { models: [first], certificates, rounds: [audited('yes')] }

it('is delivered while it is the newest, and after another has learned on: that one is certified by nobody', () => {
  expect(deliveredModel(record)).toMatchObject({ round: 0, certificate: { model: first.model.id } })
  const grown = { ...record, models: [first, second] }
  expect(deliveredModel(grown)).toMatchObject({ round: 0, certificate: { model: first.model.id } })
  expect(deliveredModel(grown, 'certified')).toMatchObject({ round: 0 })
  const newest = deliveredModel(grown, 'newest')
  expect(newest).toMatchObject({ round: 1 })
  expect(newest).not.toHaveProperty('certificate')
  expect(deliveredModel(record, 'newest')).toHaveProperty('certificate')
})

it('is not certified any more when an answer that the certificate rests on is another one', () => {
  const revised = { ...record, models: [first, second], rounds: [audited('no')] }
  expect(certifiedModel(revised)).toBeUndefined()
  expect(deliveredModel(revised)).toMatchObject({ round: 1 })
  expect(deliveredModel(revised, 'certified')).toBeUndefined()
})

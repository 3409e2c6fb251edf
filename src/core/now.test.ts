import { expect, it } from 'vitest'
import { changeSince, standOf } from './now.ts'
import type { RoundFacts } from './record.ts'
import { surveyor } from './survey.ts'

const round = (number: number, facts: Partial<RoundFacts> = {}): RoundFacts => ({
  round: number,
  stream: `learn/${number}`,
  strategy: 'alis',
  design: 'successive',
  size: 1,
  model: 'm',
  survey: surveyor(1).survey(),
  draws: [],
  answers: new Map(),
  revisions: [],
  isClosed: true,
  ...facts,
})

const about = { model: 'sha256:abc', poolSize: 100 }
const look = { ...standOf([round(0), round(1)], about), now: null }
const since = (rounds: readonly RoundFacts[], changes: Partial<typeof about> = {}) =>
  changeSince(look, standOf(rounds, { ...about, ...changes }))

it('a look holds while nothing that it rests on has changed; a round that is open is no part of it', () => {
  expect(since([round(0), round(1)])).toBeUndefined()
  expect(since([round(0), round(1), round(2, { isClosed: false })])).toBeUndefined()
})

it('a look is of the past once answers were revised or came, the pool grew, or there is another model', () => {
  const revisions = [{ id: 'a', from: 'yes', to: 'no', opened: 2 }]
  expect(since([round(0, { revisions }), round(1)])).toBe('revised')
  expect(since([round(0), round(1), round(2)])).toBe('more answers')
  expect(since([round(0), round(1)], { poolSize: 120 })).toBe('grown')
  expect(since([round(0), round(1)], { model: 'sha256:def' })).toBe('another model')
  expect(since([round(0, { revisions }), round(1), round(2)], { poolSize: 120 })).toBe('revised')
})

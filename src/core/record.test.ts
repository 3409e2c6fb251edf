import { expect, it } from 'vitest'
import { remainingMasses } from './draw.ts'
import { drawnIds, isFor, poolSizes, type RoundFacts, unanswered } from './record.ts'

const round = (points: number, ids: readonly string[], told: readonly string[] = []) =>
  ({
    survey: { points },
    draws: ids.map((id) => ({ id })),
    answers: new Map(told.map((id) => [id, id === 'c' ? null : 'yes'])),
  }) as unknown as RoundFacts

it('points come as often as they were drawn, and are asked once', () => {
  const own = round(5, ['a', 'b', 'a', 'c', 'b'], ['a', 'c'])
  expect(drawnIds(own)).toEqual(['a', 'b', 'a', 'c', 'b'])
  expect(unanswered(own)).toEqual(['b'])
})

it('a round is for what its stream begins with', () => {
  expect((['learn', 'audit', 'given'] as const).map((purpose) => isFor(purpose, { stream: 'audit/12' }))).toEqual([
    false,
    true,
    false,
  ])
  expect(isFor('audit', { stream: 'auditing/1' })).toBe(false)
})

it('a pool has the points that can be drawn and those of the rounds before, each once', () => {
  expect(poolSizes([round(6, ['a', 'b']), round(4, ['c', 'c', 'a']), round(8, [])])).toEqual([6, 6, 11])
  expect(poolSizes([])).toEqual([])
})

it('a draw is taken from its own mass, those after it and what is left', () => {
  expect([...remainingMasses([3, 1, 2], 10)]).toEqual([16, 13, 12])
  expect([...remainingMasses([], 10)]).toEqual([])
  expect([...remainingMasses([1e-17, 1e-17, 1e-17], 1)][0]).toBe(1) // nothing cancels
})

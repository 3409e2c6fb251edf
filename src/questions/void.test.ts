import { describe, expect, it } from 'vitest'
import type { Label } from '../core/record.ts'
import { isVoid } from './void.ts'

/** A round in which these points were drawn; undefined where one has no answer. */
function round(answers: Readonly<Record<string, Label | undefined>>) {
  const draws = Object.keys(answers).map((id, k) => ({ id, order: k + 1, probability: 0.1, mass: 1, remaining: 10, scores: [] }))
  const given = Object.entries(answers).filter((entry): entry is [string, Label] => entry[1] !== undefined)
  return { draws, answers: new Map(given) }
}

const certified = [
  { id: 'a', answer: 'yes' },
  { id: 'b', answer: null },
]

describe('a certificate', () => {
  it.each([
    ['with the answers it rests on', [round({ a: 'yes', b: null })]],
    ['where a point was never asked and counted as "cannot tell"', [round({ a: 'yes', b: undefined })]],
    ['whatever else was answered, before or after', [round({ x: 'no' }), round({ a: 'yes' }), round({ b: null, c: 'no' })]],
    ['of draws that are on no record here', []],
  ])('stands %s', (_, rounds) => {
    expect(isVoid(certified, rounds)).toBe(false)
  })

  it.each([
    ['another answer', [round({ a: 'no', b: null })]],
    ['"cannot tell" where there was an answer', [round({ x: 'no' }), round({ a: null, b: null })]],
    ['an answer where there was "cannot tell"', [round({ a: 'yes' }), round({ b: 'no' })]],
    ['an answer that was taken back', [round({ a: undefined, b: null })]],
  ])('is void after %s', (_, rounds) => {
    expect(isVoid(certified, rounds)).toBe(true)
  })
})

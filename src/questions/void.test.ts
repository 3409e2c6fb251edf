import { describe, expect, it } from 'vitest'
import type { Label, RoundFacts } from '../core/record.ts'
import type { Certificate } from './certificate.ts'
import type { EarlierCertificate } from './earlier.ts'
import { isRevised, isVoid, revisedSince } from './void.ts'

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

describe('the answer that was revised', () => {
  const own = [{ round: 2, given: [{ id: 'g', answer: 'yes' }], draws: certified }] as unknown as Certificate['rounds']
  const learned = { points: [{ id: 'l', answer: 'no' }] } as unknown as NonNullable<Certificate['learned']>
  const record = (...answers: Parameters<typeof round>[0][]) =>
    answers.map((told, number) => ({
      round: number,
      stream: `audit/${number}`,
      model: 'm',
      ...round(told),
    })) as unknown as RoundFacts[]
  const standing = [{ l: 'no' }, { g: 'yes' }, { a: 'yes', b: null }] as const

  it('is that of a point drawn for the certificate, or given meanwhile', () => {
    const revised = (...answers: Parameters<typeof record>) => revisedSince({ rounds: own }, record(...answers))
    expect(revised(...standing)).toBeUndefined()
    expect(revised(standing[0], standing[1], { a: 'yes', b: 'no' })).toEqual(certified[1])
    expect(revised(standing[0], { g: 'no' }, standing[2])).toEqual({ id: 'g', answer: 'yes' })
    expect(revised({ l: 'yes' }, standing[1], standing[2])).toBeUndefined()
    expect(revised({ a: 'no' }, standing[1], { ...standing[2], g: 'no' })).toBeUndefined() // each where it was answered
  })

  it('or of one that was learned from, in the rounds before', () => {
    const revised = (...answers: Parameters<typeof record>) =>
      revisedSince({ rounds: own, learned, after: 1 }, record(...answers))
    expect(revised(...standing)).toBeUndefined()
    expect(revised({ l: 'yes' }, standing[1], standing[2])).toEqual({ id: 'l', answer: 'no' })
    expect(revised(...standing, { l: 'yes' })).toBeUndefined() // drawn again, later
  })

  it('is asked of certificates of earlier releases by the audits of their model', () => {
    const earlier = { format: 'alis-certificate/1', model: 'm', draws: certified } as unknown as EarlierCertificate
    const rounds = record({ a: 'no' }, { a: 'yes' })
    const changed = (change: Partial<RoundFacts>) => isRevised(earlier, [{ ...rounds[0]!, ...change }])
    expect([changed({}), changed({ model: 'n' }), changed({ stream: 'learn/0' })]).toEqual([true, false, false])
    expect(isRevised({ rounds: own } as unknown as Certificate, record(...standing))).toBe(false)
    expect(isRevised({ rounds: own } as unknown as Certificate, record(standing[0], standing[1], { a: 'no' }))).toBe(true)
  })
})

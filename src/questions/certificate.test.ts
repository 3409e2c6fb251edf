import { describe, expect, it } from 'vitest'
import { type CertificateContent, certificateOf, certificateText, drawsOf, firstDifference, isSealed } from './certificate.ts'
import { question } from './spec.ts'

const asked = {
  question: question('recall', { positive: 'spam' }),
  ...({ state: 'defined', value: 0.5, low: 0.4, high: 0.6, level: 0.95, answers: 30, points: 90 } as const),
  ...({ plan: { kind: 'none' }, isRegistered: true } as const),
}
const draw = (id: string, order: number) => ({ id, order, probability: 0.1, answer: 'spam' })
const rules = {
  belief: { kind: 'plain', wrong: [0.1] },
  mass: { kind: 'uniform' },
  isPlain: true,
  goal: {},
  questions: [],
} as const
const round = (number: number, ids: readonly string[], given: readonly (string | null)[] = []) => ({
  ...{ round: number, stream: `audit/${number}`, strategy: 'uniform', size: ids.length, rules },
  given: given.map((answer, k) => ({ id: `g${k}`, answer })),
  draws: ids.map(draw),
})
const content: CertificateContent = {
  answers: 31,
  unknown: 0,
  questions: [asked, { ...asked, question: question('error') }],
  goal: { budget: 31 },
  reached: true,
  ...{ pool: { size: 90, hash: 'sha256:0' }, columns: {}, model: 'm', classes: ['ham', 'spam'], seed: 1, seedChosen: false },
  rounds: [round(0, ['a', 'b'], ['spam', null]), round(1, ['c'], ['ham'])],
  revisions: [],
  versions: { alis: '0' },
}
const best = { model: 'x', within: 0, level: 0.9, leader: 'x', out: [], differences: {}, answers: 3 }

describe('a certificate', () => {
  const certificate = certificateOf(content)

  it('says what its first question does, and how many answers were known without a draw', () => {
    const { metric, positive, value, low, high, level, claim, questions } = certificate
    expect([metric, positive, value, low, high, level]).toEqual(['recall', 'spam', 0.5, 0.4, 0.6, 0.95])
    expect(claim).toBe(questions[0]!.claim)
    expect(claim).toContain(
      'rests on 30 of 31 answers, drawn at random with recorded probabilities, and on 2 answers known without a draw',
    )
    expect(questions[1]!.claim).toContain('are wrong')
    expect('positive' in certificateOf({ ...content, questions: [{ ...asked, question: question('error') }] })).toBe(false)
  })

  it('says which model is the best where nothing else was asked, and else what was asked first', () => {
    const { claim, metric, value, low, high, level } = certificateOf({ ...content, questions: [], best })
    expect(claim).toContain('x is the most accurate of the models')
    expect([metric, value, low, high, level]).toEqual(['accuracy', null, null, null, 0.9])
    expect(certificateOf({ ...content, best }).metric).toBe('recall')
  })

  it('has every draw in order, and a seal that any change breaks', () => {
    expect(drawsOf(certificate).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(isSealed(certificate)).toBe(true)
    expect(isSealed({ ...certificate, seed: 2 })).toBe(false)
    expect(isSealed(JSON.parse(certificateText(certificate)))).toBe(true)
    expect(certificateText(certificate)).toMatch(/^\{\n {2}"format": 3,.*\}\n$/s)
  })
})

describe('the first difference', () => {
  it.each<[unknown, unknown, string | undefined]>([
    [{ a: [1, { b: null }] }, { a: [1, { b: null }] }, undefined],
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, 'a.1.b: must be 3, got 2'],
    [{ a: 1, c: 2 }, { a: 1 }, 'c: must be absent, got 2'],
    [{ a: 1 }, { a: 1, c: 'x' }, 'c: must be "x", got nothing'],
    [{ a: null }, { a: {} }, 'a: must be {}, got null'],
    [{ a: {} }, { a: null }, 'a: must be null, got {}'],
    [{ a: 'x' }, { a: { b: 1 } }, 'a: must be {"b":1}, got "x"'],
    [1, 2, ': must be 2, got 1'],
    [{ a: 0.5 }, { a: 0.5 + 1e-10 }, undefined],
    [{ a: 0.5 }, { a: 0.5 + 1e-8 }, 'a: must be 0.50000001, got 0.5'],
    [{ a: -5000.5 }, { a: -5000.5000001 }, undefined],
    [{ a: 1 }, { a: 1 + 1e-10 }, undefined],
    [{ a: 3 }, { a: 4 }, 'a: must be 4, got 3'],
    [{ a: 10_000_000_001 }, { a: 10_000_000_000 }, 'a: must be 10000000000, got 10000000001'], // whole numbers are counts
    [{ a: 0.1 }, { a: '0.1' }, 'a: must be "0.1", got 0.1'],
    [{ a: '0.1' }, { a: 0.1 }, 'a: must be 0.1, got "0.1"'],
    [{ a: 5e-22 }, { a: 0 }, undefined],
    [{ a: 2e-21 }, { a: 0 }, 'a: must be 0, got 2e-21'],
  ])('of %j and %j', (given, expected, difference) => {
    expect(firstDifference(given, expected, '', 1e-9)).toBe(difference)
  })

  it('is any, where no tolerance is given', () => {
    expect(firstDifference(0.5, 0.5, 'a')).toBeUndefined()
    expect(firstDifference(0.5, 0.5 + 2e-16, 'a')).toMatch(/^a: must be/)
  })
})

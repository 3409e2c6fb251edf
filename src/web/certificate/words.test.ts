import { describe, expect, it } from 'vitest'
import { type CertificateContent, certificateOf } from '../../certificates/certificate.ts'
import { askedWords, claimOf, missWords, saysNot } from './words.ts'

const content: CertificateContent = {
  metric: 'error',
  value: 0.0471,
  low: 0.0312,
  high: 0.0698,
  level: 0.95,
  answers: 250,
  unknown: 0,
  goal: { tolerance: 0.02 },
  reached: true,
  pool: { size: 1397, hash: 'sha256:00' },
  columns: {},
  model: 'sha256:01',
  classes: ['0', '1'],
  strategy: 'alis-audit',
  seed: 1,
  seedChosen: true,
  batch: 10,
  after: 10,
  draws: [{ round: 0, order: 1, id: 'd1', probability: 0.1, answer: null }],
  versions: { alis: '0.1.0' },
}
const predictions = { columns: { prediction: 'label' }, pool: { size: 20_000, hash: 'sha256:00' } }

function said(change: Partial<CertificateContent>): string {
  const certificate = certificateOf({ ...content, ...change })
  const { before, low, high, after } = claimOf(certificate)
  return `${before} ${low} and ${high}${after}`.replaceAll('\u00a0', ' ')
}

describe('a claim', () => {
  it('of a project is about the points nobody had labelled', () => {
    expect(said({})).toBe(
      'This model is wrong on between 3.1 % and 7.0 % of the 1,397 points of this pool that nobody had labelled.',
    )
  })

  it.each([
    [{ metric: 'error' }, 'Between 3.1 % and 7.0 % of the 20,000 predictions are wrong.'],
    [{ metric: 'precision', positive: 'spam' }, 'Of the predictions that say spam, between 3.1 % and 7.0 % are right.'],
    [{ metric: 'recall', positive: 'spam' }, 'The predictions find between 3.1 % and 7.0 % of the points that are spam.'],
    [{ metric: 'f1', positive: 'spam' }, 'The F1 of the predictions for spam lies between 3.1 % and 7.0 %.'],
    [
      { metric: 'difference', low: -0.0123, high: 0.0041 },
      'The error of the predictions minus that of the others lies between −1.3 and +0.5 percentage points.',
    ],
  ] as const)('of predictions, %j', (change, words) => {
    expect(said({ ...predictions, ...change })).toBe(words)
  })

  it('says what it does not say', () => {
    const file = (change: Partial<CertificateContent>) => certificateOf({ ...content, ...change })
    expect(saysNot(file({}))).toContain('Anything about a model trained later.')
    expect(saysNot(file(predictions))).not.toContain('Anything about a model trained later.')
  })
})

it.each([
  [0.95, 'at most 5 times in 100'],
  [0.99, 'at most 1 time in 100'],
  [0.995, 'at most 5 times in 1,000'],
])('level %s misses %s', (level, words) => expect(missWords(level)).toBe(words))

it('writes what was asked for', () => {
  expect(askedWords({ tolerance: 0.015, budget: 1000 }, 'error')).toBe('±1.5\u00a0%, at most 1,000 answers')
})

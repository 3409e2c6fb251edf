import { describe, expect, it } from 'vitest'
import type { CertificateSummary } from '../../protocol/project.ts'
import { type Certificate, type CertificateContent, certificateOf } from '../../questions/certificate.ts'
import type { BestModel } from '../../questions/race.ts'
import { question } from '../../questions/spec.ts'
import { claimOf, missWords, pictureWords, restWords, says, saysNot } from './certificate.ts'
import { askedFacts, askedWords, whoFacts } from './certificate-facts.ts'

type Asked = CertificateContent['questions'][number]

const asked: Asked = {
  question: question('error'),
  state: 'defined',
  value: 0.0471,
  low: 0.0312,
  high: 0.0698,
  level: 0.95,
  answers: 250,
  points: 1397,
  plan: { kind: 'none' },
  isRegistered: true,
}
const content: Omit<CertificateContent, 'questions'> = {
  answers: 250,
  unknown: 0,
  goal: { tolerance: 0.02 },
  reached: true,
  pool: { size: 1397, hash: 'sha256:00' },
  columns: {},
  model: 'sha256:01',
  classes: ['0', '1'],
  seed: 1,
  seedChosen: true,
  after: 10,
  rounds: [],
  revisions: [],
  versions: { alis: '0.1.0' },
}

function certified(change: Partial<Asked> = {}, more: Partial<CertificateContent> = {}): Certificate {
  return certificateOf({ ...content, questions: [{ ...asked, ...change }], ...more })
}

const about = { question: 'Which is it?', after: 10 }
const predictions = { columns: { prediction: 'label' } }
const spam = { positive: 'spam' }
const plain = (text: string) => text.replaceAll('\u00a0', ' ')

function said(certificate: Certificate): string {
  const { before, value, limits, after } = claimOf(certificate)
  return plain(`${before} ${value ?? ''}${limits ? `${limits.low} and ${limits.high}` : ''}${after}`).trim()
}

describe('a claim', () => {
  it('of a project is about the rows nobody had answered or been asked about', () => {
    expect(said(certified())).toBe(
      'This model is wrong on between 3.1 % and 7.0 % of the 1,397 rows that nobody had answered or been asked about.',
    )
  })

  it.each<[Parameters<typeof question>, Partial<Asked>, string]>([
    [['error'], {}, 'Between 3.1 % and 7.0 % of the 1,397 predictions are wrong.'],
    [['precision', spam], {}, 'Of the predictions that say spam, between 3.1 % and 7.0 % are right.'],
    [['recall', spam], {}, 'The predictions find between 3.1 % and 7.0 % of the rows that are spam.'],
    [['f1', spam], {}, 'The F1 of the predictions for spam lies between 3.1 % and 7.0 %.'],
    [
      ['error', { slice: { column: 'region', value: 'north' } }],
      {},
      'Where region = north, between 3.1 % and 7.0 % of the 1,397 predictions are wrong.',
    ],
    [
      ['difference', { against: 'old' }],
      { low: -0.0123, value: 0, high: 0.0041 },
      'The error of the predictions minus that of old is between −1.3 and +0.5 percentage points.',
    ],
    [
      ['kappa'],
      { low: 0.6123, value: 0.7, high: 0.7841 },
      'The agreement beyond chance (kappa) of the predictions with the answers lies between 0.61 and 0.79.',
    ],
  ])('of predictions, %j', (spec, change, words) => {
    expect(said(certified({ question: question(...spec), ...change }, predictions))).toBe(words)
  })

  it('says what it does not say', () => {
    expect(saysNot(certified())).toContain('Anything about a model that has learned since.')
    expect(saysNot(certified({}, predictions))).not.toContain('Anything about a model that has learned since.')
    expect(saysNot(certified({}, { columns: { probabilities: ['a', 'b'] } }))).not.toContain(
      'Anything about a model that has learned since.',
    )
  })
})

describe('a claim in another state', () => {
  const recall = (change: Partial<Asked>) =>
    certified({ question: question('recall', spam), points: 200, ...change }, predictions)

  it('if there may be nothing to divide by, says so and how much there is at the most', () => {
    expect(said(recall({ state: 'if any', low: 0.1, high: 1, atMost: 12 }))).toBe(
      'If there is anything to divide by, the predictions find between 10 % and 100 % of the rows that are spam; it is at most 12 of 200 points.',
    )
  })

  it('with nothing to divide by, has no limits, no picture of them and no estimate', () => {
    const certificate = recall({ state: 'undefined', value: null, low: null, high: null })
    expect(said(certificate)).toBe('The recall of spam is not defined: there is nothing to divide by.')
    expect(restWords(certificate)).toBe('From 250 answers.')
    expect(Object.fromEntries(askedFacts(certificate, about))['To the decimal']).toBe('None: there is nothing to divide by')
  })

  it('that is known has no level', () => {
    const known = { state: 'known', value: 0.25, low: 0.25, high: 0.25 } as const
    const certificate = recall(known)
    expect(said(certificate)).toMatch(
      /^The predictions find 25.00 % of the points that are spam: every answer that matters is known\.$/,
    )
    expect(said(recall({ ...known, question: question('f1', spam) }))).toBe(
      'The F1 of the predictions for spam is 25.00 %: every answer that matters is known.',
    )
    expect(restWords(certificate)).not.toContain('95')
    expect(pictureWords(certificate.questions[0]!)).toBe('The dot is the value.')
  })

  it('that contradicts itself says only what is certain', () => {
    const certificate = recall({ state: 'contradiction', low: 0.2, value: 0.4, high: 0.9 })
    expect(said(certificate)).toMatch(
      /^These answers contradict each other .* What is certain: the predictions find between 20 % and 90 %/,
    )
    expect(Object.fromEntries(askedFacts(certificate, about))['To the decimal']).toContain('only what is certain')
  })
})

it('of several questions, each interval may miss', () => {
  const both = certified({}, { questions: [asked, { ...asked, question: question('recall', spam) }] })
  expect(says(both)).toContain('Ranges made this way miss what they are of, each at most 5 times in 100.')
})

it('of several models, the best is named, or the one that looks so', () => {
  const best: BestModel = {
    model: 'new',
    within: 0.01,
    level: 0.95,
    leader: 'new',
    out: ['old'],
    differences: {},
    answers: 250,
  }
  const named = (change: Partial<BestModel>) => certified({}, { questions: [], best: { ...best, ...change } })
  expect(said(named({}))).toBe(
    'new is the most accurate of the models, or less accurate than the best by at most 1 percentage point.',
  )
  expect(said(named({ model: null }))).toBe('Which model is the best is not proven yet; new looks best, and old cannot be.')
  expect(says(named({}))).toContain('A model is named wrongly this way at most 5 times in 100.')
  const facts = (change: Partial<BestModel>) => Object.fromEntries(askedFacts(named(change), about))
  expect(facts({})).not.toHaveProperty('To the decimal')
  expect(plain(facts({})['Asked for']!)).toBe('the best model within 1 %, found after 250 answers')
  expect(plain(facts({ model: null, within: 0 })['Asked for']!)).toBe('the best model: not found, stopped after 250 answers')
})

it('a certificate whose answers were revised since is void', () => {
  const facts = (isRevised: boolean) => Object.fromEntries(whoFacts(certified(), { isRevised } as CertificateSummary, undefined))
  expect(facts(true)['Revised since']).toBe('Void: answers were revised since')
  expect(facts(false)['Revised since']).toBe('None')
})

it.each([
  [0.95, 'at most 5 times in 100'],
  [0.99, 'at most 1 time in 100'],
  [0.995, 'at most 5 times in 1,000'],
])('level %s misses %s', (level, words) => expect(missWords(level)).toBe(words))

it('writes what was asked for', () => {
  expect(askedWords({ tolerance: 0.015, budget: 1000 }, { metric: 'error' })).toBe('±1.5\u00a0%, at most 1,000 answers')
})

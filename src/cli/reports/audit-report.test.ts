import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { question } from '../../questions/spec.ts'
import { reportFor } from './audit-report.ts'

let said = ''
beforeEach(() => {
  said = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += text
    return true
  })
})
afterEach(() => vi.restoreAllMocks())

const about = { file: undefined, page: undefined, opening: ['predictions.csv: 2,000 predictions'], source: 'the column y' }
const asked = {
  question: question('error'),
  state: 'defined',
  value: 0.05,
  low: 0.02,
  high: 0.08,
  answers: 50,
  level: 0.95,
  plan: { kind: 'none' },
  points: 2000,
  isRegistered: true,
  isReached: false,
} as const
const round = { round: 0, draws: [], answers: new Map(), questions: [asked], answered: 50, isReached: false }

it('says before the first answer about how many it will take', () => {
  const forecasts = [
    { tolerance: 0.1, answers: 33 },
    { tolerance: 0.05, answers: 112 },
    { tolerance: 0.03, answers: 1290 },
  ]
  reportFor({}, { ...about, forecasts })
  expect(said).toBe('predictions.csv: 2,000 predictions\nExpect about 33 answers to ±10 %, 112 to ±5 % and 1,290 to ±3 %.\n')
})

it('gives programs the first question as ever, and all of them where there are several', () => {
  const report = reportFor({ json: true }, about)
  const forecast = { answers: 200, low: 150, high: 270 }
  report.round({ ...round, questions: [{ ...asked, forecast }] })
  report.round({ ...round, questions: [asked, { ...asked, question: question('kappa') }] })
  const [one, two] = said
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(one).toEqual({ type: 'round', answers: 50, value: 0.05, low: 0.02, high: 0.08, forecast })
  expect(two.questions.map(({ metric }: { metric: string }) => metric)).toEqual(['error', 'kappa'])
})

it('gives programs which model is the best, and no numbers of questions that nobody asked', () => {
  const best = { model: null, within: 0.01, level: 0.95, leader: 'a', out: ['b'], differences: { a: 0, b: -0.1 }, answers: 40 }
  reportFor({ json: true }, about).round({ ...round, questions: [], best })
  expect(JSON.parse(said)).toEqual({ type: 'round', answers: 50, best })
})

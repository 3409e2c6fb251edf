import { expect, it } from 'vitest'
import { csvOf } from './report.ts'
import { reportPage } from './report-page.ts'
import type { Run } from './run.ts'
import { type Comparison, summarise } from './summary.ts'
import { verdictOf } from './verdict.ts'

const terms = { start: 10, batch: 10, budget: 40, seed: 1 }

/** Runs that follow a curve, a little up or down from split to split. */
function runsOf(strategy: string, curve: readonly number[], { splits = 20, wobble = 0, hasEstimate = true } = {}): Run[] {
  return Array.from({ length: splits }, (_, split) => ({
    strategy,
    split,
    seed: split,
    rounds: curve.map((error, round) => {
      const own = error * (1 + wobble * Math.sin(7 * split + strategy.length))
      const truth = round === 0 ? null : curve[round - 1]!
      const estimate = hasEstimate && truth !== null ? truth + (split % 2 === 0 ? 0.01 : -0.01) : null
      const limits = estimate === null ? { low: null, high: null } : { low: estimate - 0.005, high: estimate + 0.02 }
      return {
        round,
        labels: 10 * (round + 1),
        error: own,
        logLoss: own,
        averagePrecision: null,
        estimate,
        ...limits,
        truth,
        seconds: 1,
      }
    }),
  }))
}

const uniform = runsOf('uniform', [0.4, 0.3, 0.2, 0.1])
const compared = (...others: Run[][]): Comparison =>
  summarise([...uniform, ...others.flat()], ['uniform', ...others.map(([first]) => first!.strategy)], terms)

it('sums up: factors, errors, estimates', () => {
  const { results, best, noise } = compared(runsOf('alis', [0.4, 0.1, 0.1, 0.05]))
  expect(best).toBe('alis')
  expect(noise).toBe(0) // every split says the same
  expect(results[0]).toMatchObject({ strategy: 'uniform', factor: 1, low: 1, high: 1, area: 1, estimateRmse: 1, coverage: 0.5 })
  expect(results[1]).toMatchObject({ strategy: 'alis', factor: 2, low: 2, high: 2, secondsPerRound: 1 })
  expect(results[1]!.finalError).toBeCloseTo(0.05, 12)
  expect(results[1]!.estimateRmse).toBeCloseTo(1, 12)
  expect(results[1]!.area).toBeCloseTo((2.5 + 1 + 0.75) / (3.5 + 2.5 + 1.5), 12)
})

it('does not depend on the order of the runs', () => {
  const own = runsOf('alis', [0.4, 0.1, 0.1, 0.05], { wobble: 0.3 })
  const names = ['uniform', 'alis']
  expect(summarise([...own, ...uniform].reverse(), names, terms)).toEqual(summarise([...uniform, ...own], names, terms))
})

it('says how much is saved, and how sure that is', () => {
  const verdict = verdictOf(compared(runsOf('alis', [0.4, 0.1, 0.1, 0.05])))
  expect(verdict).toEqual([
    "On your data alis reaches uniform's final error with 2.0 times fewer labels (2.0–2.0).",
    'Differences between factors under 1 % are noise.',
  ])
})

it('says when nothing is better', () => {
  const [first, second] = verdictOf(compared(runsOf('alis', [0.4, 0.3, 0.2, 0.11], { wobble: 0.5 })))
  expect(first).toBe('On your data nothing here is clearly better than uniform draws.')
  expect(second).toMatch(/^On your data alis is not told apart from uniform draws: factor 0\.9\d \(/)
})

it('says when the default loses, and who wins, and what that costs', () => {
  const verdict = verdictOf(
    compared(
      runsOf('alis', [0.4, 0.35, 0.3, 0.25]),
      runsOf('uncertainty', [0.4, 0.1, 0.1, 0.1], { hasEstimate: false }),
      runsOf('paper', [0.4, 0.5, 0.5, 0.5]),
    ),
  )
  expect(verdict).toEqual([
    'On your data alis loses to uniform draws: its labels go 0.63 times as far (0.62–0.63).',
    'uncertainty does better still: 2.0 (2.0–2.0).',
    'uncertainty gives no unbiased estimate: it cannot tell you on the way how good the model is.',
    'Clearly worse than uniform draws: paper.',
    'Differences between factors under 1 % are noise.',
  ])
})

it('calls nothing better that luck explains, and warns of few seeds', () => {
  const { results, ...comparison } = compared(runsOf('alis', [0.4, 0.2, 0.1, 0.08]), runsOf('entropy', [0.4, 0.1, 0.09, 0.08]))
  const [base, alis, entropy] = results
  const told = (high: number) =>
    verdictOf({
      ...comparison,
      splits: 4,
      noise: 0.301,
      results: [base!, { ...alis!, ofBest: { low: 0.6, high } }, entropy!],
    })
  expect(told(1.1)).toEqual([
    "On your data alis reaches uniform's final error with 1.3 times fewer labels (1.3–1.4).",
    'entropy has the highest factor, 2.0 (2.0–2.0), which is not clearly more than that of alis.',
    'Differences between factors under 31 % are noise.',
    'From 4 seeds only: the intervals themselves are rough. Twenty are better.',
  ])
  expect(told(0.9)[1]).toBe('entropy does better still: 2.0 (2.0–2.0).')
})

it('warns where better decisions come with worse probabilities', () => {
  const { results, ...comparison } = compared(runsOf('alis', [0.4, 0.1, 0.1, 0.05]))
  const [base, alis] = results
  const told = (logLossHigh: number) =>
    verdictOf({ ...comparison, results: [base!, { ...alis!, logLossFactor: 0.6, logLossLow: 0.5, logLossHigh }] })
  expect(told(0.9)[1]).toBe(
    "The probabilities that alis learns are worse than uniform's, though: by log-loss its factor is 0.60 (0.50–0.90).",
  )
  expect(told(1.1)).toHaveLength(2)
})

it('has nothing to say of uniform alone', () => {
  expect(verdictOf(compared())).toEqual(['Only uniform draws were tried: name another strategy to compare them with.'])
})

it('writes every round of every run', () => {
  const lines = csvOf(runsOf('uncertainty', [0.4, 0.3], { splits: 1, hasEstimate: false })).split('\n')
  expect(lines).toEqual([
    'strategy,split,seed,round,labels,error,logLoss,averagePrecision,estimate,low,high,truth,seconds',
    'uncertainty,0,0,0,10,0.4,0.4,,,,,,1',
    'uncertainty,0,0,1,20,0.3,0.3,,,,,0.4,1',
    '',
  ])
})

it('makes a page that needs nothing but itself, and lets no name in as markup', () => {
  const comparison = compared(
    runsOf('alis', [0.4, 0.1, 0.1, 0.05]),
    runsOf('uncertainty', [0.4, 0.1, 0.1, 0.1], { hasEstimate: false }),
  )
  const facts = { points: 1000, testPoints: 300, features: 7, classes: ['<b>', 'b'] }
  const page = reportPage({ comparison, pool: '<script>.csv', ...facts, command: "alis compare '<script>.csv' --seed 1" })
  expect(page).not.toMatch(/<script|https?:|NaN|undefined|Infinity|src=/)
  expect(page).toContain('&lt;script&gt;.csv')
  expect(page).toContain('No unbiased estimate: this strategy does not draw at random.')
  for (const sentence of verdictOf(comparison)) expect(page).toContain(`<li>${sentence}</li>`)
  const pictures = [...page.matchAll(/<svg [^>]*role="img" aria-label="([^"]+)"/g)]
  expect(pictures).toHaveLength(6) // two widths of each
  expect([...page.matchAll(/<details>/g)]).toHaveLength(3) // and the numbers of each
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type CertificateContent, certificateOf } from './certificate.ts'

const content: CertificateContent = {
  metric: 'error',
  value: 0.05,
  low: 0.0311,
  high: 0.0702,
  level: 0.95,
  answers: 1250,
  unknown: 0,
  goal: { tolerance: 0.02 },
  reached: true,
  pool: { size: 20_000, hash: 'sha256:00' },
  columns: { prediction: 'label' },
  model: 'sha256:01',
  classes: ['ham', 'spam'],
  strategy: 'alis-audit',
  seed: 1,
  seedChosen: true,
  batch: 10,
  draws: [],
  versions: { alis: '0.1.0' },
}
const claim = (change: Partial<CertificateContent>) => certificateOf({ ...content, ...change }).claim

it.each([
  [{}, 'With 95 % confidence, between 3.1 % and 7.1 % of the 20,000 predictions are wrong. This rests on 1,250 answers,'],
  [{ low: 0, high: 0.0004 }, 'With 95 % confidence, between 0 % and 0.04 % of the 20,000 predictions are wrong.'],
  [{ level: 0.999999 }, 'With 99.999 % confidence, between'],
  [
    { metric: 'difference', low: -0.2227, high: -0.0332 },
    'With 95 % confidence, the error of the predictions minus that of the others is between −22.3 and −3.3 percentage points.',
  ],
  [
    { metric: 'kappa', low: 0.6149, high: 0.7401 },
    'With 95 % confidence, the agreement beyond chance (kappa) of the predictions with the answers is between 0.61 and 0.75.',
  ],
] as const)('the claim of %j', (change, words) => {
  expect(claim(change).startsWith(words)).toBe(true)
})

it('a claim never says more than the interval', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(share, share, (a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)]
      const [, from, to] = /between ([\d.]+) % and ([\d.]+) %/.exec(claim({ low, high }))!
      expect(Number(`${from}e-2`)).toBeLessThanOrEqual(low)
      expect(Number(`${to}e-2`)).toBeGreaterThanOrEqual(high)
    }),
  )
})

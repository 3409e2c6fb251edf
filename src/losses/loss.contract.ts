import { describe, expect, it } from 'vitest'
import { emptyBelief } from '../core/belief.ts'
import { uniform } from '../core/randomness.ts'
import type { Loss } from './loss.ts'

/** What every loss must satisfy. A new loss passes by calling this once. */
export function describeLoss(loss: Loss): void {
  describe(`${loss.name} keeps the loss contract`, () => {
    const scores = [-40, -3, -0.5, 0.25, 2, 40] // away from kinks, out to where exp() misbehaves
    const cases = [-1, +1].flatMap((label) => scores.map((score) => ({ label, score })))

    it.each(cases)('slope is the derivative of value at y=$label z=$score', ({ label, score }) => {
      const h = 1e-5
      const central = (loss.value(label, score + h) - loss.value(label, score - h)) / (2 * h)
      // Truncation h²·ℓ‴/6 and rounding ε·ℓ/h, both relative to the size of the loss there.
      const scale = 1 + loss.value(label, score)
      expect(Math.abs(loss.slope(label, score) - central)).toBeLessThan(1e-8 * scale)
    })

    const { curvature } = loss
    if (curvature) {
      it.each(cases)(
        'curvature is the derivative of slope, and at most the largest, at y=$label z=$score',
        ({ label, score }) => {
          const h = 1e-5
          const central = (loss.slope(label, score + h) - loss.slope(label, score - h)) / (2 * h)
          const bent = curvature.at(label, score, loss.slope(label, score))
          expect(Math.abs(bent - central)).toBeLessThan(1e-8 * (1 + Math.abs(loss.slope(label, score))))
          expect(bent).toBeLessThanOrEqual(curvature.largest)
          if (curvature.isConstant) expect(bent).toBe(curvature.largest)
        },
      )
    }

    it('pseudo-loss is the loss of the pseudo-label −sign(z), with sign(0) = +1, and no label is worse', () => {
      for (let i = 0; i < 20_000; i++) {
        const score = 60 * (uniform(1, loss.name, `${i}`) - 0.5)
        const pseudoLabel = score >= 0 ? -1 : +1
        const pseudoLoss = loss.pseudoLoss(score)
        expect(Math.abs(pseudoLoss - loss.value(pseudoLabel, score))).toBeLessThanOrEqual(1e-15 * pseudoLoss)
        expect(loss.value(-pseudoLabel, score)).toBeLessThanOrEqual(pseudoLoss)
      }
      expect(loss.pseudoLoss(0)).toBe(loss.value(-1, 0))
    })

    it.each([-1e4, -709.9, 709.9, 1e4])('is finite at z=%d, where the textbook formulas overflow', (score) => {
      for (const label of [-1, +1]) {
        expect(loss.value(label, score)).toBeGreaterThanOrEqual(0)
        expect(Number.isFinite(loss.value(label, score))).toBe(true)
        expect(Number.isFinite(loss.slope(label, score))).toBe(true)
      }
      expect(Number.isFinite(loss.pseudoLoss(score))).toBe(true)
      expect(Number.isFinite((1e6 * Math.sqrt(loss.pseudoLoss(score))) ** 2)).toBe(true) // M of a pool of a million
    })

    it('reads a score as a belief whose likelier class is the sign of the score', () => {
      const belief = emptyBelief(2)
      for (const score of [-1e4, -2, -1e-3, 0, 1e-3, 2, 1e4]) {
        loss.read([score], belief)
        const [negative, positive] = belief.probabilities as unknown as [number, number]
        expect(negative + positive).toBe(1)
        expect(positive >= 0.5).toBe(score >= 0)
        expect([...belief.losses]).toEqual([loss.value(-1, score), loss.value(+1, score)])
      }
    })
  })
}

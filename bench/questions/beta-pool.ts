import { hashIds, type Uniforms, uniformsOf } from '../../src/core/randomness.ts'
import type { TestPoint } from '../../test/questions/test-pool.ts'

const shape = 0.2

/**
 * Points whose predictions are wrong with chance ~ Beta(a, a(1 − error)/error), a = 0.2, and say so: at 5 % the chances tell right from wrong
 * with an AUC of .91.
 */
export function betaPool(size: number, seed: number, error: number): TestPoint[] {
  const hashes = hashIds(Array.from({ length: size }, (_, i) => `p${i}`))
  const [ofChance, ofTruth] = ['chance', 'loss'].map((name) => uniformsOf({ seed, name: `pool/${name}` }, hashes)) as [
    Uniforms,
    Uniforms,
  ]
  return Array.from({ length: size }, (_, i) => {
    const chance = beta(shape, (shape * (1 - error)) / error, ofChance, i)
    return { predicted: 0, chance, truth: ofTruth(i) <= chance ? 1 : 0 }
  })
}

/** Beta(a, b) of the i-th point:  G/(G + G′),  G ~ Gamma(a), G′ ~ Gamma(b). */
function beta(a: number, b: number, uniforms: Uniforms, i: number): number {
  let used = 0
  const next = () => uniforms(i, used++)
  const one = gamma(a, next)
  return one / (one + gamma(b, next))
}

/** Gamma(shape) by Marsaglia & Tsang (2000); below 1 by  Gamma(a) = Gamma(a + 1) · u^(1/a). */
function gamma(shape: number, next: () => number): number {
  if (shape < 1) return gamma(shape + 1, next) * next() ** (1 / shape)
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next())
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(next()) < (x * x) / 2 + d * (1 - v + Math.log(v))) return d * v
  }
}

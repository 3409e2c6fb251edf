import { randomBytes } from 'node:crypto'

/** Fixed in the test command; fresh, and printed, in `npm run test:fresh`. */
export const firstSeed = process.env.ALIS_FRESH_SEEDS ? randomBytes(6).readUIntLE(0, 6) : 20_260_101
if (process.env.ALIS_FRESH_SEEDS) console.info(`first seed ${firstSeed}`)

/** A correct estimator strays this many standard errors once in a million seeds (two-sided normal). */
export const Z = 4.9

export function summary(values: readonly number[]): { mean: number; standardError: number } {
  const mean = values.reduce((a, b) => a + b, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
  return { mean, standardError: Math.sqrt(variance / values.length) }
}

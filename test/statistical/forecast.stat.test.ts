import { expect, it } from 'vitest'
import { audit } from '../../src/audit.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import { type QuestionSpec, question } from '../../src/questions/spec.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { randomPoints, testPool } from '../questions/test-pool.ts'
import { firstSeed } from './seeds.ts'

/** Answers spent when half of the way was done, the forecast made there, and what it took in the end. */
async function halfWay(seed: number, asked: QuestionSpec, tolerance: number): Promise<{ forecast: number; actual: number }> {
  const { subject, truth } = testPool(randomPoints(4000, seed, 0.12))
  const plan = { store: memoryStore(), oracle: columnOracle(truth), questions: [asked], seed, tolerance, batch: 25 }
  const rounds = await Array.fromAsync(audit({ subject: subject(), ...plan }))
  const total = rounds.at(-1)!.answered
  const half = rounds.find(({ answered }) => answered >= total / 2)!
  return { forecast: half.questions[0]!.forecast?.answers ?? 0, actual: total - half.answered }
}

// What the guide says: half-way through, the forecast is right within a factor of two, nine times in ten. With 24 audits, fewer
// than 17 such forecasts would come about once in 5,000 if that were true.
it.each([
  [question('error'), 0.02],
  [question('recall', { positive: 'yes' }), 0.06],
])('half-way through, the forecast is right within a factor of two, nine times in ten: %j', async (asked, tolerance) => {
  const made = []
  for (let k = 0; k < 24; k++) made.push(await halfWay(firstSeed + k, asked, tolerance))
  const right = made.filter(({ forecast, actual }) => forecast <= 2 * actual && actual <= 2 * forecast).length
  expect(right).toBeGreaterThanOrEqual(17)
})

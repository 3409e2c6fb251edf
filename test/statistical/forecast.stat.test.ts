import { expect, it } from 'vitest'
import { audit } from '../../src/audit.ts'
import { uniform } from '../../src/core/randomness.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import { question } from '../../src/questions/spec.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { type TestPoint, testPool } from '../questions/test-pool.ts'
import { firstSeed } from './seeds.ts'

const size = 4000

/** What was forecast when half of the way was done, and what it took in the end. */
async function halfWay(seed: number): Promise<{ forecast: number; actual: number }> {
  const points = Array.from({ length: size }, (_, i): TestPoint => {
    const chance = 0.9 * uniform(seed, 'chance', `${i}`) ** 9
    return { predicted: 0, chance, truth: uniform(seed, 'wrong', `${i}`) < chance ? 1 : 0 }
  })
  const { subject, truth } = testPool(points)
  const plan = { subject: subject(), store: memoryStore(), oracle: columnOracle(truth), questions: [question('error')], seed }
  const rounds = await Array.fromAsync(audit({ ...plan, tolerance: 0.02 }))
  const total = rounds.at(-1)!.answered
  const half = rounds.find(({ answered }) => answered >= total / 2)!
  return { forecast: half.questions[0]!.forecast!.answers, actual: total - half.answered }
}

// What the guide says: half-way through, the forecast is right within a factor of two, nine times in ten. With 24 audits, fewer
// than 17 such forecasts would come about once in 5,000 if that were true.
it('half-way through, the forecast is right within a factor of two, nine times in ten', async () => {
  const made = []
  for (let k = 0; k < 24; k++) made.push(await halfWay(firstSeed + k))
  const right = made.filter(({ forecast, actual }) => forecast <= 2 * actual && actual <= 2 * forecast).length
  expect(right).toBeGreaterThanOrEqual(17)
})

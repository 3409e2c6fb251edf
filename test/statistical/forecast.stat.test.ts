import { expect, it } from 'vitest'
import { audit } from '../../src/audit.ts'
import { logit } from '../../src/certificates/calibrated.ts'
import { dense } from '../../src/core/features.ts'
import { uniform } from '../../src/core/randomness.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { firstSeed } from './seeds.ts'

const size = 4000
const ids = Array.from({ length: size }, (_, i) => `p${i}`)

/** Answers spent when half of the way was done, the forecast made there, and what it took in the end. */
async function halfWay(seed: number): Promise<{ forecast: number; actual: number }> {
  const chances = ids.map((id) => 0.9 * uniform(seed, 'chance', id) ** 9)
  const truth = new Map(ids.map((id, i) => [id, uniform(seed, 'wrong', id) < chances[i]! ? 'b' : 'a']))
  const columns = Float32Array.from({ length: 2 * size }, (_, k) => (k % 2 === 0 ? logit(chances[k / 2]!) : 0))
  const rounds = await Array.fromAsync(
    audit({
      engine: memoryEngine({ ids, features: dense(columns, 2) }),
      store: memoryStore(),
      oracle: columnOracle(truth),
      model: { kind: 'columns', id: 'predictions', classes: ['right', 'wrong'], columns: 2 },
      classes: ['a', 'b'],
      seed,
      tolerance: 0.02,
    }),
  )
  const total = rounds.at(-1)!.interval.answers
  const half = rounds.find(({ interval }) => interval.answers >= total / 2)!
  return { forecast: half.forecast!.answers, actual: total - half.interval.answers }
}

// What the guide says: half-way through, the forecast is right within a factor of two, nine times in ten. With 24 audits, fewer
// than 17 such forecasts would come about once in 5,000 if that were true.
it('half-way through, the forecast is right within a factor of two, nine times in ten', async () => {
  const made = []
  for (let k = 0; k < 24; k++) made.push(await halfWay(firstSeed + k))
  const right = made.filter(({ forecast, actual }) => forecast <= 2 * actual && actual <= 2 * forecast).length
  expect(right).toBeGreaterThanOrEqual(17)
})

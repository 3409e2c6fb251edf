import { expect, it } from 'vitest'
import { audit } from '../../src/audit.ts'
import { logit } from '../../src/certificates/calibrated.ts'
import { dense } from '../../src/core/features.ts'
import { uniform } from '../../src/core/randomness.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import type { Metric } from '../../src/metrics/catalogue.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { judged } from './misses.ts'
import { firstSeed } from './seeds.ts'

// A filter for spam, one message in four, and another filter beside it; new messages every time.
const size = 800
const classes = ['ham', 'spam']
const ids = Array.from({ length: size }, (_, i) => `m${i}`)

function messages(seed: number) {
  return ids.map((id) => {
    const chance = uniform(seed, 'chance', id) ** 3
    const other = chance + 0.5 * (uniform(seed, 'other', id) - 0.5)
    return {
      chance,
      first: chance > 0.4 ? 1 : 0,
      second: other > 0.4 ? 1 : 0,
      truth: uniform(seed, 'truth', id) < chance ? 1 : 0,
    }
  })
}

type Message = ReturnType<typeof messages>[number]

const exact: Record<string, (all: readonly Message[]) => number> = {
  precision: (all) => sum(all, (m) => m.first * m.truth) / sum(all, (m) => m.first),
  recall: (all) => sum(all, (m) => m.first * m.truth) / sum(all, (m) => m.truth),
  f1: (all) => (2 * sum(all, (m) => m.first * m.truth)) / sum(all, (m) => m.first + m.truth),
  prevalence: (all) => sum(all, (m) => m.truth) / size,
  difference: (all) => sum(all, (m) => Math.abs(m.first - m.truth) - Math.abs(m.second - m.truth)) / size,
}
const sum = (all: readonly Message[], value: (m: Message) => number) => all.reduce((total, m) => total + value(m), 0)

it.each(Object.keys(exact))('%s: the interval holds the truth at all times, as often as it says', async (name) => {
  const metric = name as Metric
  const found = await judged(async (k) => {
    const all = messages(firstSeed + k)
    const truth = exact[name]!(all)
    const isDifference = metric === 'difference'
    const columns = all.flatMap(({ chance, first, second }) => {
      const outcome = isDifference ? (first === 1 ? 1 - chance : chance) : chance // wrong, or positive
      return isDifference ? [logit(outcome), first, second] : [logit(outcome), first]
    })
    const width = isDifference ? 3 : 2
    const rounds = audit({
      engine: memoryEngine({ ids, features: dense(Float32Array.from(columns), width) }),
      store: memoryStore(),
      oracle: columnOracle(new Map(all.map((m, i) => [ids[i]!, classes[m.truth]!]))),
      model: { kind: 'columns', id: 'filter', classes: ['no', 'yes'], columns: width },
      classes,
      metric,
      positive: 'spam',
      seed: firstSeed + k,
      tolerance: isDifference ? 0.04 : 0.1,
      budget: 300,
    })
    let isMissed = false
    for await (const { interval } of rounds) {
      if (interval.low > truth + 1e-12 || interval.high < truth - 1e-12) isMissed = true
    }
    return isMissed
  })
  expect(found).toBe('as promised')
})

import { expect, it } from 'vitest'
import { historyOf } from '../../bench/questions/history-stores.ts'
import { verdict } from './misses.ts'
import { firstSeed } from './seeds.ts'

const kinds = 23 // of claims
const fewest = 60 // projects, for faults that no chance excuses

// Audits, revisions, imports, growth, other goals, questions and models, kills and resumptions in random orders, until every kind has its verdict.
it('whatever is done to a project, and in what order, what it prints is true as often as it says', async () => {
  const told = new Map<string, { claims: number; misses: number }>()
  const verdicts = () => [...told.values()].map(({ claims, misses }) => verdict(claims, misses, { caught: 0.25 }))
  let printed = 0
  for (let k = 0; k < fewest || told.size < kinds || verdicts().includes('open'); k++) {
    const outcome = await historyOf(firstSeed + k)
    expect(outcome.faults).toEqual([])
    printed += outcome.printed
    for (const { name, isMissed } of outcome.claims) {
      const { claims, misses } = told.get(name) ?? { claims: 0, misses: 0 }
      told.set(name, { claims: claims + 1, misses: misses + (isMissed ? 1 : 0) })
    }
  }
  expect(told.size).toBe(kinds)
  expect(verdicts(), JSON.stringify([...told])).not.toContain('misses too often')
  expect(printed).toBeGreaterThan(2000)
})

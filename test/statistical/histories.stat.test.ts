import { expect, it } from 'vitest'
import { historyOf } from '../../bench/questions/history-stores.ts'
import { verdict } from './misses.ts'
import { firstSeed } from './seeds.ts'

// Audits, revisions, imports, growth, other goals, questions and models, kills and resumptions in random orders: 150 projects, whose pools grow.
it('whatever is done to a project, and in what order, what it prints is true as often as it says', async () => {
  const outcomes = []
  for (let k = 0; k < 150; k++) outcomes.push(await historyOf(firstSeed + k))
  expect(outcomes.flatMap(({ faults }) => faults)).toEqual([])

  const claims = outcomes.flatMap((outcome) => outcome.claims)
  const names = [...new Set(claims.map(({ name }) => name))]
  expect(names).toHaveLength(23)
  for (const name of names) {
    const own = claims.filter((claim) => claim.name === name)
    const misses = own.filter(({ isMissed }) => isMissed).length
    expect(verdict(own.length, misses, { caught: 0.25 }), `${name}: ${misses} of ${own.length}`).not.toBe('misses too often')
  }
  expect(outcomes.reduce((sum, { printed }) => sum + printed, 0)).toBeGreaterThan(6000)
})

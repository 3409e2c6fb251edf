import { expect, it } from 'vitest'
import { falseAlarm, type MissRates, oversight, verdict } from './misses.ts'

/** The exact chance of each verdict on an interval that misses at some rate, and the runs it takes on average. */
function chancesOf(rate: number, rates: MissRates) {
  const ended = { 'as promised': 0, 'misses too often': 0, runs: 0 }
  let open = new Map([[0, 1]]) // chances by misses so far
  for (let runs = 1; open.size > 0; runs++) {
    const next = new Map<number, number>()
    const add = (misses: number, chance: number) => next.set(misses, (next.get(misses) ?? 0) + chance)
    for (const [misses, chance] of open) {
      add(misses, chance * (1 - rate))
      add(misses + 1, chance * rate)
    }
    open = new Map()
    for (const [misses, chance] of next) {
      const now = verdict(runs, misses, rates)
      if (now !== 'open') {
        ended[now] += chance
        ended.runs += runs * chance
      } else if (chance > 1e-13) open.set(misses, chance)
    }
  }
  return ended
}

it.each([{ caught: 0.1 }, { caught: 0.15 }, {}])('finds fault with what misses too often, and with nothing else: %o', (rates) => {
  expect(chancesOf(0.05, rates)['misses too often']).toBeLessThan(falseAlarm)
  expect(chancesOf(rates.caught ?? 0.2, rates)['as promised']).toBeLessThan(oversight)
  for (const rate of [0.02, 0.05, rates.caught ?? 0.2, 0.5]) {
    const { 'as promised': fine, 'misses too often': faulty } = chancesOf(rate, rates)
    expect(fine + faulty).toBeCloseTo(1, 6) // there is a verdict in the end
  }
})

it('takes about fifty runs for an interval that seldom misses, and for one that misses every other time', () => {
  expect(chancesOf(0.02, {}).runs).toBeLessThan(60)
  expect(chancesOf(0.5, {}).runs).toBeLessThan(30)
})

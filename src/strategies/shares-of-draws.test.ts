import { expect, it } from 'vitest'
import { uniform } from '../core/randomness.ts'
import { successive } from '../designs/successive.ts'
import { sharesOf } from './shares-of-draws.ts'

it('draws stand for the mass: also where so many are drawn that the largest are all among them', () => {
  const masses = Float64Array.from({ length: 400 }, (_, i) => uniform(1, 'mass', `${i}`) ** 4)
  const whole = masses.reduce((sum, mass) => sum + mass, 0)
  const values = masses.map((_, i) => Math.sin(i) + 2 * masses[i]!)
  const truth = masses.reduce((sum, mass, i) => sum + (mass * values[i]!) / whole, 0)
  const [found, naive] = [0, 0].map(() => [] as number[])
  for (let turn = 0; turn < 400; turn++) {
    const draws = successive.draw(masses, 150, (i, repeat = 0) => uniform(turn, `${repeat}`, `${i}`))
    const shares = sharesOf(draws)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
    found!.push(draws.reduce((sum, { index }, k) => sum + shares[k]! * values[index]!, 0))
    naive!.push(draws.reduce((sum, { index }) => sum + values[index]! / draws.length, 0))
  }
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length
  // the chances are nearly those of draws, so that the mean is nearly right: by a hundredth, and half of it if all counted alike
  expect(Math.abs(mean(found!) / truth - 1)).toBeLessThan(0.02)
  expect(Math.abs(mean(naive!) / truth - 1)).toBeGreaterThan(0.2)
})

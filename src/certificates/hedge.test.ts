import { expect, it } from 'vitest'
import { uniform } from '../core/randomness.ts'
import { hedge } from './hedge.ts'
import { density, probit } from './probit.ts'

it('is the formula, to seven digits', () => {
  for (let k = 0; k < 20_000; k++) {
    const chance = Math.exp(-32 * uniform(1, 'chance', `${k}`)) // from 1 down to 10⁻¹⁴
    if (chance >= 1) continue
    const exact = density(probit(chance)) / chance
    expect(Math.abs(hedge(chance) / exact - 1)).toBeLessThan(2e-8) // probit strays by about 10⁻⁹, and its slope by more
  }
})

import { density, probit } from './probit.ts'

/**
 * φ(Φ⁻¹(u))/u: what a deadline bet with chance u of reaching its goal stakes, before scaling. It is needed for every value
 * on a grid at every draw, so it is read off a table in ln u with cubics between: to seven digits and more, in half the time.
 * A table is as good as a formula here: any number known before the draw is a valid stake.
 */
export function hedge(chance: number): number {
  if (chance > last || chance < first) return exact(chance)
  const place = (Math.log(chance) - start) / step
  const k = Math.floor(place)
  const t = place - k
  const a = values[k]!
  const b = values[k + 1]!
  const rise = b - a
  const from = slopes[k]! - rise
  const to = slopes[k + 1]! - rise
  return a + t * (rise + (1 - t) * ((1 - t) * from - t * to))
}

function exact(chance: number): number {
  return density(probit(chance)) / chance
}

const first = 1e-13
const last = 0.9 // beyond, the slope grows without limit
const start = Math.log(first)
const step = 1 / 256
const size = Math.ceil((Math.log(last) - start) / step) + 2
const values = Float64Array.from({ length: size }, (_, k) => exact(Math.exp(start + k * step)))
/** Change over one step: d/d ln u of φ(z)/u is −z − φ(z)/u, z = Φ⁻¹(u), since dz/du = 1/φ(z). */
const slopes = Float64Array.from({ length: size }, (_, k) => {
  const chance = Math.exp(start + k * step)
  return step * (-probit(chance) - values[k]!)
})

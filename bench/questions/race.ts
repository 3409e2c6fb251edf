import { ModelRace } from '../../src/certificates/best-model.ts'
import { hashIds, uniformsOf } from '../../src/core/randomness.ts'
import { successive } from '../../src/designs/successive.ts'
import type { MadeModels } from './simulated-models.ts'

export interface RaceRun {
  readonly models: MadeModels
  readonly seed: number
  readonly within: number
  /** Draws a round. */
  readonly batch: number
  /** What the race is told of a mass; the mass if left out. */
  readonly told?: (mass: number) => number
}

export interface RaceOutcome {
  readonly answers: number
  /** Whether the named model is worse than the best by more than is allowed. */
  readonly isWrong: boolean
  /** Whether a model that is the best was eliminated. */
  readonly isBestOut: boolean
}

/** A race from its first answer until a model is named. Every point is a group of its own. */
export function runRace({ models, seed, within, batch, told = (mass) => mass }: RaceRun): RaceOutcome {
  const { ids, truths, predicted, probabilities, accuracies } = models
  const pool = predicted.map((classes, i) => ({ predicted: classes, probabilities: probabilities[i]!, count: 1 }))
  const race = new ModelRace({ models: accuracies.length, pool, within })
  const hashes = hashIds(ids)
  let left = ids.map((_, i) => i)
  for (let t = 0; race.standing().best === null; t++) {
    const groups = left.map((i) => pool[i]!)
    const masses = race.masses(groups)
    const uniforms = uniformsOf({ seed, name: `race/${t}` }, hashes)
    const draws = successive.draw(masses, batch, (k) => uniforms(left[k]!))
    race.round(groups.map((group, k) => ({ ...group, mass: masses[k]! > 0 ? told(masses[k]!) : 0 })))
    for (const { index, mass } of draws) {
      race.draw({ ...groups[index]!, mass: told(mass), answer: truths[left[index]!]! })
      if (race.standing().best !== null) break
    }
    const drawn = new Set(draws.map(({ index }) => index))
    left = left.filter((_, k) => !drawn.has(k))
  }
  const { best, out, answers } = race.standing()
  const highest = Math.max(...accuracies)
  return {
    answers,
    isWrong: accuracies[best!]! < highest - within - 1e-12,
    isBestOut: accuracies.some((accuracy, j) => accuracy === highest && out[j]!),
  }
}

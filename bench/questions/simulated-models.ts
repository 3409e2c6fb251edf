import { probit } from '../../src/certificates/probit.ts'
import { sigmoid } from '../../src/core/numbers.ts'
import { hashIds, uniformsOf } from '../../src/core/randomness.ts'

/** Made models: how often each is right in the long run. */
export interface ModelsRecipe {
  readonly seed: number
  readonly size: number
  readonly accuracies: readonly number[]
  readonly classes?: number
  /** How much points differ in difficulty: the more, the more often models are wrong together. */
  readonly spread?: number
}

export interface MadeModels {
  readonly ids: readonly string[]
  readonly truths: readonly number[]
  /** By point and model. */
  readonly predicted: readonly (readonly number[])[]
  /** By point and class: the mean of what the models say. */
  readonly probabilities: readonly Float64Array[]
  /** Shares of the pool. */
  readonly accuracies: readonly number[]
}

/**
 * Every point has a difficulty: a model is right with chance  q = sigmoid(ability + spread · z),  z normal and the same for all models, and
 * predicts one of the other classes otherwise. It says q of what it predicts and spreads the rest evenly.
 */
export function makeModels({ seed, size, accuracies, classes = 5, spread = 1.2 }: ModelsRecipe): MadeModels {
  const ids = Array.from({ length: size }, (_, i) => `p${i}`)
  const hashes = hashIds(ids)
  const uniforms = (name: string) => uniformsOf({ seed, name: `models/${name}` }, hashes)
  const [ofTruth, ofDifficulty] = [uniforms('truth'), uniforms('difficulty')]
  const abilities = accuracies.map((accuracy) => abilityFor(accuracy, spread))
  const [ofRight, ofWrong] = ['right', 'wrong'].map((name) => accuracies.map((_, m) => uniforms(`${name}/${m}`)))
  const truths = ids.map((_, i) => Math.ceil(ofTruth(i) * classes) - 1)
  const probabilities = ids.map(() => new Float64Array(classes))
  const predicted = truths.map((truth, i) => {
    const ease = spread * probit(Math.min(ofDifficulty(i), 1 - 1e-12))
    return abilities.map((ability, m) => {
      const chance = sigmoid(ability + ease)
      const guess = ofRight![m]!(i) <= chance ? truth : (truth + Math.ceil(ofWrong![m]!(i) * (classes - 1))) % classes
      const said = Math.max(chance, 1 / classes)
      for (let c = 0; c < classes; c++)
        probabilities[i]![c]! += (c === guess ? said : (1 - said) / (classes - 1)) / accuracies.length
      return guess
    })
  })
  const right = accuracies.map((_, m) => predicted.filter((guesses, i) => guesses[m] === truths[i]).length / size)
  return { ids, truths, predicted, probabilities, accuracies: right }
}

/** The ability at which a model is right with this chance, over all difficulties. */
function abilityFor(accuracy: number, spread: number): number {
  const steps = 1000
  const eases = Array.from({ length: steps }, (_, k) => spread * probit((k + 0.5) / steps))
  let [low, high] = [-20, 20]
  for (let step = 0; step < 50; step++) {
    const ability = (low + high) / 2
    const chance = eases.reduce((sum, ease) => sum + sigmoid(ability + ease), 0) / steps
    if (chance < accuracy) low = ability
    else high = ability
  }
  return low
}

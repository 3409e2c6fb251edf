import { uniform } from '../../src/core/randomness.ts'

/** Choices that a seed decides, one after another. */
export interface Dice {
  chance(probability: number): boolean
  /** A whole number from 0 to one less than this. */
  whole(below: number): number
  pick<T>(choices: readonly T[]): T
  shuffled<T>(things: readonly T[]): T[]
}

export function diceOf(seed: number, name: string): Dice {
  let thrown = 0
  const next = () => uniform(seed, name, `${thrown++}`)
  const whole = (below: number) => Math.min(below - 1, Math.floor(below * next()))
  return {
    chance: (probability) => next() <= probability,
    whole,
    pick: (choices) => choices[whole(choices.length)]!,
    shuffled(things) {
      const keyed = things.map((thing) => ({ thing, key: next() }))
      return keyed.sort((a, b) => a.key - b.key).map(({ thing }) => thing)
    },
  }
}

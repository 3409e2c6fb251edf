import { alis } from '../command.ts'
import type { BadInput } from './case.ts'
import type { Bench } from './stock.ts'
import { attempt, type Trial, visitor } from './trial.ts'

/** A case that could not be tried here, and why. */
export interface Skipped {
  readonly obstacle: string
}

/** Tries cases, `atOnce` at a time, and hands over what came of each. */
export async function attemptAll(
  cases: readonly BadInput[],
  bench: Bench,
  hand: (bad: BadInput, trial: Trial | Skipped) => void,
  atOnce = 4,
): Promise<void> {
  const canStepDown = (await alis(['--version'], visitor)).code === 0
  const waiting = cases.values()
  const work = async () => {
    for (const bad of waiting) {
      const isPossible = bad.while !== 'read-only' || canStepDown
      hand(bad, isPossible ? await attempt(bad, bench) : { obstacle: 'no user with fewer rights may run the command' })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

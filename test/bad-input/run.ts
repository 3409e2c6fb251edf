import { alis } from '../command.ts'
import type { BadInput } from './case.ts'
import type { Bench } from './stock.ts'
import { attempt, type Trial, visitor } from './trial.ts'

const processes = 4

/** A case that could not be tried here, and why. */
export interface Skipped {
  readonly obstacle: string
}

/** Tries cases, `atOnce` at a time and beside them those in processes of their own, and hands over what came of each. */
export async function attemptAll(
  cases: readonly BadInput[],
  bench: Bench,
  hand: (bad: BadInput, trial: Trial | Skipped) => void,
  atOnce = 4,
): Promise<void> {
  const canStepDown = (await alis(['--version'], visitor)).code === 0
  const work = async (some: Iterable<BadInput>) => {
    for (const bad of some) {
      const isPossible = bad.while !== 'read-only' || canStepDown
      hand(bad, isPossible ? await attempt(bad, bench) : { obstacle: 'no user with fewer rights may run the command' })
    }
  }
  const those = (areApart: boolean) => cases.filter((bad) => (bad.while !== undefined) === areApart).values()
  const [here, apart] = [those(false), those(true)]
  await Promise.all([
    ...Array.from({ length: atOnce }, () => work(here)),
    ...Array.from({ length: processes }, () => work(apart)),
  ])
}

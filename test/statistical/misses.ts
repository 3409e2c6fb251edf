import type { Engine } from '../../src/engines/engine.ts'

/** How often an interval at a level of 95 % may miss, and how often is caught. */
export interface MissRates {
  /** Default 0.05: what the interval promises. */
  readonly promised?: number
  /** Intervals that miss so often, or more often, are found out. Default 0.2. */
  readonly caught?: number
}

/** Chance of finding fault with an interval that keeps its promise, and of finding none with one that misses as often as is to be caught. */
export const falseAlarm = 1e-6
export const oversight = 1e-3

/**
 * Wald's sequential test, after so many runs with so many misses: whether an interval misses as rarely as it promises or as often as is to be
 * caught. The likelihood ratio of the two is a martingale under either, so it reaches 1/falseAlarm, or falls to oversight, with no more than those
 * chances if it should not (Ville), however often it is looked at; lower and higher rates only help. Most verdicts come within a hundred
 * runs, where a fixed number of as much power would take several hundred. Nothing from below: bets may waste, and at one look they do.
 */
export function verdict(runs: number, misses: number, { promised = 0.05, caught = 0.2 }: MissRates = {}) {
  const evidence = misses * Math.log(caught / promised) + (runs - misses) * Math.log((1 - caught) / (1 - promised))
  if (evidence >= -Math.log(falseAlarm)) return 'misses too often'
  return evidence <= Math.log(oversight) ? 'as promised' : 'open'
}

/** Runs until there is a verdict. `isMissed`: whether the interval of the k-th run left the truth out. */
export async function judged(isMissed: (k: number) => boolean | Promise<boolean>, rates?: MissRates) {
  let misses = 0
  for (let runs = 1; ; runs++) {
    if (await isMissed(runs - 1)) misses++
    const now = verdict(runs, misses, rates)
    if (now !== 'open') return now
  }
}

/** The same for several intervals of the same runs: those that miss too often, as soon as each has a verdict. */
export async function faultyOf(
  names: readonly string[],
  missesIn: (k: number) => readonly boolean[] | Promise<readonly boolean[]>,
  rates: MissRates = { caught: 0.25 },
): Promise<string[]> {
  const misses = names.map(() => 0)
  const verdicts = names.map((): ReturnType<typeof verdict> => 'open')
  for (let runs = 1; verdicts.includes('open'); runs++) {
    const missed = await missesIn(runs - 1)
    for (const q of names.keys()) {
      if (missed[q]) misses[q]!++
      if (verdicts[q] === 'open') verdicts[q] = verdict(runs, misses[q]!, rates)
    }
  }
  return names.filter((_, q) => verdicts[q] === 'misses too often')
}

/**
 * Draws as asked, and says of every round but one that some point could not be drawn: then nothing is known of that point, and `learn()` makes
 * no interval, which is most of its work in a small pool. No probability, and so no estimate, depends on it.
 */
export function intervalsOnlyIn(stream: string | undefined, engine: Engine): Engine {
  return {
    ...engine,
    async draw(request) {
      const { draws, survey } = await engine.draw(request)
      return { draws, survey: request.stream.name === stream ? survey : { ...survey, smallestMass: 0 } }
    },
  }
}

import { drawTable } from '../../src/cli/terminal/table.ts'
import { requireInput } from '../../src/core/errors.ts'
import { count, percent } from '../../src/text/wording.ts'
import { binomialTail } from '../questions/statistics.ts'
import { inThreads } from '../questions/threads.ts'
import { cases } from './path-cases.ts'
import type { PathOutcome, PathRun } from './path-run.ts'

const promised = 0.05
const absurd = 1e-4 // so rarely does any path look this bad if all of them keep the promise

/** How often the interval after any round leaves the truth out, by path: of so many runs each of those that have `wanted` in their names. */
export async function misses(runs: number, wanted: string): Promise<string> {
  const paths = cases.flatMap(({ name }, path) => (name.includes(wanted) ? [path] : []))
  requireInput(paths.length > 0, `path: part of the name of a path is required, got ${wanted}`)
  const tasks = paths.flatMap((path) =>
    Array.from({ length: runs }, (_, seed): { name: string; argument: PathRun } => ({ name: 'path', argument: { path, seed } })),
  )
  const outcomes = await inThreads<PathRun, PathOutcome>(tasks, 'runs', new URL('./worker.ts', import.meta.url))
  return missesTable(paths.map((path, k) => ({ name: cases[path]!.name, outcomes: outcomes.slice(k * runs, (k + 1) * runs) })))
}

function missesTable(tried: readonly { readonly name: string; readonly outcomes: readonly PathOutcome[] }[]): string {
  const rows = tried.map(({ name, outcomes }) => {
    const mean = (of: (outcome: PathOutcome) => number) =>
      percent(outcomes.reduce((sum, each) => sum + of(each), 0) / outcomes.length, 1)
    const missed = outcomes.filter(({ isMissed }) => isMissed).length
    const any = outcomes.filter(({ isAnyMissed }) => isAnyMissed).length
    const means = `${mean(({ error }) => error)} [${mean(({ low }) => low)}, ${mean(({ high }) => high)}]`
    return [name, count(outcomes.length), `${missed}`, `${any}`, means]
  })
  const bad = tried.flatMap(({ name, outcomes }) => {
    const any = outcomes.filter(({ isAnyMissed, isMissed }) => isAnyMissed || isMissed).length
    return binomialTail(any, outcomes.length, promised) < absurd / cases.length ? [name] : []
  })
  const faults = tried.flatMap(({ outcomes }) => outcomes.flatMap(({ faults }) => faults))
  const right = ['runs', 'missed', 'for any model', 'error and mean limits in the end']
  const columns = [{ title: 'path' }, ...right.map((title) => ({ title, align: 'right' as const }))]
  return [
    'Runs in which the interval after any round left out the error of its model, and in which one for some model could have; level 95 %',
    drawTable({ columns, rows }),
    bad.length === 0 ? 'Nothing is above 5 % beyond chance.' : `Above 5 % beyond chance: ${bad.join('; ')}.`,
    faults.length === 0 ? 'No limits crossed, no value lay outside.' : `Faults: ${count(faults.length)}, the first: ${faults[0]}`,
  ].join('\n')
}

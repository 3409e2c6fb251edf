import { drawTable } from '../../src/cli/terminal/table.ts'
import { inThreads } from '../questions/threads.ts'
import { openSet, runningSets } from './sets.ts'
import { marks, type WidthAt, type WidthsRun } from './widths-run.ts'

/** Half-widths and errors by set and number of labels, each a mean over so many runs. */
export async function widths(runs: number): Promise<string> {
  const sets = []
  for (const { name } of runningSets) if (await openSet(name)) sets.push(name)
  const tasks = sets.flatMap((set) =>
    Array.from({ length: runs }, (_, seed): { name: string; argument: WidthsRun } => ({
      name: 'widths',
      argument: { set, seed },
    })),
  )
  const outcomes = await inThreads<WidthsRun, WidthAt[]>(tasks, 'runs', new URL('./worker.ts', import.meta.url))
  return widthsTable(new Map(sets.map((set, k) => [set, outcomes.slice(k * runs, (k + 1) * runs)])))
}

const points = (share: number) => (100 * share).toFixed(1)
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** By set: what was found in each run. */
function widthsTable(bySet: ReadonlyMap<string, readonly (readonly WidthAt[])[]>): string {
  const at = (set: string, labels: number) => bySet.get(set)!.flatMap((run) => run.filter((found) => found.labels === labels))
  const sets = [...bySet.keys()]
  const cellOf = (found: readonly WidthAt[]) => {
    if (found.length === 0) return '–'
    const [error, low, high] = (['error', 'low', 'high'] as const).map((name) => meanOf(found.map((each) => each[name])))
    return `${points(error!)} [${points(low!)}, ${points(high!)}] ±${points((high! - low!) / 2)}`
  }
  const rows = sets.map((set) => [`${set}, ${bySet.get(set)!.length} runs`, ...marks.map((labels) => cellOf(at(set, labels)))])
  const overSets = (of: (found: readonly WidthAt[]) => number) =>
    marks.map((labels) => {
      const means = sets.map((set) => at(set, labels)).flatMap((found) => (found.length > 0 ? [of(found)] : []))
      return means.length > 0 ? points(meanOf(means)) : '–'
    })
  const rms = (values: readonly number[]) => Math.sqrt(meanOf(values.map((value) => value ** 2)))
  const summary = [
    ['sets', ...marks.map((labels) => `${sets.filter((set) => at(set, labels).length > 0).length}`)],
    ['half-width', ...overSets((found) => meanOf(found.map(({ low, high }) => (high - low) / 2)))],
    ['estimate, root mean square off', ...overSets((found) => rms(found.map(({ value, error }) => value - error)))],
    ['estimate of the last round alone', ...overSets((found) => rms(found.map(({ ownMiss }) => ownMiss)))],
  ]
  const titles = marks.map((labels) => ({ title: `${labels} labels`, align: 'right' as const }))
  return [
    'Error over the points without an answer, [mean limits], mean half-width; per cent',
    drawTable({ columns: [{ title: 'set' }, ...titles], rows }),
    'Means over sets, in points',
    drawTable({ columns: [{ title: '' }, ...titles], rows: summary }),
  ].join('\n')
}

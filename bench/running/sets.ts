import { loadData } from '../../src/projects/pools/memory.ts'
import type { LoadedData } from '../../src/projects/pools/pool-data.ts'
import { type DataSet, dataSets, fileOf } from '../which-strategy/sets.ts'

const named = (name: string, changes: Partial<DataSet> = {}): DataSet => ({
  ...dataSets.find((set) => set.name === name)!,
  ...changes,
})

/** Those that widths are measured on. `mlbench.R` writes satellite.csv; sms.tsv is not shipped either. */
export const runningSets: readonly DataSet[] = [
  named('digits'),
  named('spambase'),
  named('letter'),
  named('digits-10', { batch: 10 }),
  { name: 'satellite', title: 'Satellite images, six kinds of ground', file: 'satellite.csv', data: { label: 'y', test: 0 } },
  named('sms'),
]

const open = new Map<string, Promise<LoadedData> | undefined>()

/** All points of a set, none of them set aside; undefined where its file is not at hand. Each thread reads a file once. */
export function openSet(name: string): Promise<LoadedData> | undefined {
  const set = runningSets.find((each) => each.name === name)!
  const path = fileOf(set, process.env.ALIS_DATA)
  if (path && !open.has(name)) open.set(name, loadData(path, { ...set.data, test: undefined }, 1))
  return open.get(name)
}

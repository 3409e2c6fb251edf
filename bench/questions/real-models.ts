import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MadeModels } from './simulated-models.ts'

export const realSets = ['satellite', 'waveform', 'twonorm', 'ringnorm'] as const
export type RealSet = (typeof realSets)[number]

/** What eight models say of a set, by `models.R`. */
export interface RealModels extends MadeModels {
  readonly names: readonly string[]
  /** By model, of every point: how likely it is wrong, by its own account. */
  readonly doubts: ReadonlyMap<string, readonly number[]>
}

/** Undefined where ALIS_DATA does not have the set. */
export function realModels(set: RealSet): RealModels | undefined {
  const file = join(process.env.ALIS_DATA ?? '', `models-${set}.csv`)
  if (process.env.ALIS_DATA === undefined || !existsSync(file)) return undefined
  const [header, ...lines] = readFileSync(file, 'utf8').trimEnd().replaceAll('"', '').split('\n')
  const titles = header!.split(',')
  const rows = lines.map((line) => line.split(',').map(Number))
  const names = titles.flatMap((title) => (title.endsWith('.doubt') ? [title.replace('.doubt', '')] : []))
  const columnOf = (title: string) => {
    const place = titles.indexOf(title)
    return rows.map((row) => row[place]!)
  }
  const means = titles.filter((title) => title.startsWith('mean')).map(columnOf)
  const truths = columnOf('y')
  const said = names.map(columnOf)
  return {
    ids: rows.map((_, i) => `p${i}`),
    truths,
    predicted: rows.map((_, i) => said.map((own) => own[i]!)),
    probabilities: rows.map((_, i) => Float64Array.from(means, (mean) => mean[i]!)),
    accuracies: said.map((own) => own.filter((guess, i) => guess === truths[i]).length / rows.length),
    names,
    doubts: new Map(names.map((name) => [name, columnOf(`${name}.doubt`)])),
  }
}

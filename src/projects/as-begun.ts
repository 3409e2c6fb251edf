import { requireInput } from '../core/errors.ts'
import { splitReading } from '../sources/file-reading.ts'
import { absolute, type Settings } from './settings.ts'
import { strategySettings } from './strategy-settings.ts'

/** Options as they were typed, without those that have their default. */
export type Said = Readonly<Record<string, unknown>>

/** What a project began with, by the names of the options that say it. */
function onRecord(known: Settings): Said {
  const { wishes, seed, classes, positive, test, learner, loss, l2, start, batch, weighting, delta, bits = 32 } = known
  const { scores: scoresColumn, embedModel: _, ...roles } = { embedModel: undefined, ...wishes } // a model that makes vectors may have moved
  const plan = { start, batch, weighting, delta, test }
  return {
    ...none,
    ...roles,
    scoresColumn,
    seed,
    classes,
    positive,
    learner,
    loss,
    l2,
    bits,
    ...plan,
    ...strategySettings(known),
  }
}

/** Options that a project may have begun without. */
const none = Object.fromEntries(
  ['label', 'given', 'id', 'features', 'text', 'category', 'number', 'vector', 'embed', 'show', 'ignore', 'know'].map((name) => [
    name,
    undefined,
  ]),
)

/** Refuses options that contradict what a project began with: its draws were made that way, and models and recipe go together. */
export function requireAsBegun(path: string, known: Settings, said: Said): void {
  const record = onRecord(known)
  for (const [name, wanted] of Object.entries(said)) {
    if (!Object.hasOwn(record, name) || isSame(name, record[name], wanted)) continue
    const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    requireInput(
      false,
      `${option}: ${shown(record[name])} is required, as ${path} began with it, got ${shown(wanted)}`,
      'Leave it out, or begin another project.',
    )
  }
}

/** Names in another order are the same; a file may be named from another place. */
function isSame(name: string, known: unknown, wanted: unknown): boolean {
  if (name === 'test' && typeof wanted === 'string') return absolute(wanted) === known
  const plain = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.toSorted() : value)
  return plain(known) === plain(wanted)
}

const shown = (value: unknown): string => (value === undefined ? 'none' : Array.isArray(value) ? value.join() : `${value}`)

/** The pool as it is to be opened: a file is read as it was when the project began, whatever its name says or leaves out. */
export function asReadBefore(path: string, project: string, { pool }: Settings): string {
  const [before, now] = [splitReading(pool.path), splitReading(path)]
  const isSame = JSON.stringify(before.reading) === JSON.stringify(now.reading)
  if (isSame) return path
  requireInput(
    Object.keys(now.reading).length === 0,
    `${path}: to be read as when ${project} began is required, ${JSON.stringify(before.reading)}, got ${JSON.stringify(now.reading)}`,
    'Leave it out, or begin another project.',
  )
  return `${now.file}${pool.path.slice(pool.path.lastIndexOf('#'))}`
}

import { basename, dirname, join, resolve } from 'node:path'
import { AlisError } from '../../core/errors.ts'
import { isClickHouse } from '../../engines/clickhouse/address.ts'
import type { TableFormat } from '../../sources/write-table.ts'
import { requireConfirmed } from '../confirmed-servers.ts'
import { rowless } from '../settings.ts'
import { type DeliveredFacts, type Facts, readFacts } from './facts.ts'
import { type ExportPart, outputs, type WrittenFile } from './outputs.ts'
import { openPool, type Pool } from './pool-rows.ts'
import { fillDirectory } from './staging.ts'

export interface ExportOptions {
  /** Where to; beside the project if left out. */
  readonly out?: string
  readonly format: TableFormat
  /** CSV for programs: cells that a spreadsheet would take for formulas stay as they are. */
  readonly raw?: boolean
  /** Labels have all columns of the pool too. */
  readonly withColumns?: boolean
  /** All there is, if left out. */
  readonly only?: readonly ExportPart[]
  /** The certified model, or the newest; the certified one if left out and there is one. */
  readonly model?: 'certified' | 'newest' | undefined
  /** Where the pool is now, if it was moved. */
  readonly pool?: string
  /** Whether files of an earlier export may be replaced. */
  readonly force?: boolean
  /** Called with how far a pass over the pool has come, from 0 to 1. */
  readonly progress?: (share: number) => void
  readonly signal?: AbortSignal
}

export const parts = Object.keys(outputs) as ExportPart[]

interface Written {
  readonly out: string
  readonly files: readonly WrittenFile[]
  readonly model?: DeliveredFacts
}

function requireCertified({ project, delivered }: Facts, wanted: ExportOptions['model']): void {
  if (wanted !== 'certified' || delivered) return
  const message = `${project.path}: must have a model with a certificate that stands to export that, got none`
  throw new AlisError('bad-input', message, 'alis certify makes one.')
}

/** Writes what a project has come to, and says where and what. */
export async function exportProject(path: string, options: ExportOptions): Promise<Written> {
  const read = await readFacts(path, options.model)
  const facts = { ...read, points: movedTo(options.pool, read.points) }
  requireCertified(facts, options.model)
  const { project, settings } = facts
  const { format, force = false, raw: isRaw = false, withColumns = false } = options
  if (withColumns || options.only?.includes('hugging-face')) requirePoints(facts, options.pool)
  const chosen = chosenParts(facts, options.only)
  const out = resolve(options.out ?? join(dirname(project.path), `${basename(project.path, '.alis')}-export`))
  const files: WrittenFile[] = []
  const inputs = settings ? [options.pool ?? settings.pool.path, ...settings.added.map(({ path }) => path)] : []
  await fillDirectory(out, { force, inputs }, async (folder) => {
    let opened: Promise<Pool> | undefined
    const pool = () => {
      opened ??= openPool(project, settings!, options.pool ?? settings!.pool.path, options) // no part of an audit asks for it
      return opened
    }
    try {
      for (const part of chosen) files.push(...(await outputs[part]({ facts, folder, format, isRaw, withColumns, pool })))
    } finally {
      await (await opened?.catch(() => undefined))?.close()
    }
  })
  return { out, files, ...(facts.delivered && { model: facts.delivered }) }
}

/** The first file may be elsewhere now. */
const movedTo = (path: string | undefined, [first, ...added]: Facts['points']): Facts['points'] =>
  first ? [path === undefined ? first : { ...first, path }, ...added] : []

/** Columns of points come from files of this machine, or from servers that this user has named. */
function requirePoints({ project, points }: Facts, moved: string | undefined): void {
  const [first] = points
  if (!first || points.some(({ path }) => isClickHouse(path)))
    throw new AlisError('bad-input', `${project.path}: must have a pool in files for its columns, got none`, elsewhere)
  for (const { path } of points) if (path !== moved) requireConfirmed(project.path, path)
}

/** What was asked for must be there; by default, all that is there. */
function chosenParts(facts: Facts, only: readonly ExportPart[] | undefined): readonly ExportPart[] {
  const lacking = lackingIn(facts)
  for (const part of only ?? []) {
    const { needed, got = 'none yet', hint } = lacking[part] ?? {}
    const message = `${facts.project.path}: must have ${needed} to export ${part}, got ${got}`
    if (needed !== undefined) throw new AlisError('bad-input', message, hint)
  }
  return only ?? parts.filter((part) => !lacking[part] && part !== 'hugging-face') // labels once more, for those who want them so
}

/** What a part of an export cannot do without, and does not have. */
interface Lacking {
  readonly needed: string
  readonly got?: string
  readonly hint: string
}

function lackingIn({ project, settings, model, certificates }: Facts): Partial<Record<ExportPart, Lacking | undefined>> {
  const maker = settings ? 'alis certify makes one.' : 'alis audit makes one when it ends.'
  const certified = certificates.length > 0 ? undefined : { needed: 'a certificate', hint: maker }
  if (!settings)
    return { predictions: audited, model: audited, certificates: certified, 'label-studio': audited, prodigy: audited }
  const got = rowless(settings)
  const rows = got === undefined ? undefined : { needed: 'a pool in files', got, hint: elsewhere }
  const learned = model ? undefined : { needed: 'a model', hint: 'The first round makes one: alis run goes on where it stopped.' }
  const inColumns = {
    needed: 'a model of its own',
    got: 'scores in columns',
    hint: 'Whoever refreshes the columns has the model.',
  }
  return {
    predictions: rows ?? learned,
    model: settings.wishes.elsewhere ? fittedElsewhere(project.path) : settings.wishes.scores ? inColumns : learned,
    certificates: certified,
    'label-studio': rows,
    prodigy: rows,
  }
}

const audited = { needed: 'a pool to learn from', got: 'an audit', hint: 'Its labels and certificates can be exported.' }

const fittedElsewhere = (path: string): Lacking => ({
  needed: 'a model of its own',
  got: 'one that is fitted elsewhere',
  hint: `The program has the model. What each said of every point is in ${join(path, 'scores')}.`,
})

const elsewhere = 'Labels and certificates can be exported: --only labels. Join them with the pool where it lies, by id.'

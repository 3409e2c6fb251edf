import { basename, dirname, join, resolve } from 'node:path'
import { AlisError } from '../../core/errors.ts'
import type { TableFormat } from '../../sources/write-table.ts'
import { rowless } from '../settings.ts'
import { type Facts, readFacts } from './facts.ts'
import { type ExportPart, outputs, type Work, type WrittenFile } from './outputs.ts'
import { openPool, type Pool, poolRows } from './pool-rows.ts'
import { fillDirectory } from './staging.ts'

export interface ExportOptions {
  /** Where to; beside the project if left out. */
  readonly out?: string
  readonly format: TableFormat
  /** All there is, if left out. */
  readonly only?: readonly ExportPart[]
  /** Where the pool is now, if it was moved. */
  readonly pool?: string
  /** Whether files of an earlier export may be replaced. */
  readonly force?: boolean
  /** Hears how far a pass over the pool has come, from 0 to 1. */
  readonly progress?: (share: number) => void
  readonly signal?: AbortSignal
}

export const parts = Object.keys(outputs) as ExportPart[]

/** Writes what a project has come to, and says where and what. */
export async function exportProject(
  path: string,
  options: ExportOptions,
): Promise<{ readonly out: string; readonly files: readonly WrittenFile[] }> {
  const facts = await readFacts(path)
  const chosen = chosenParts(facts, options.only)
  const name = facts.project.path
  const out = resolve(options.out ?? join(dirname(name), `${basename(name, '.alis')}-export`))
  const files: WrittenFile[] = []
  await fillDirectory(out, { force: options.force ?? false }, async (folder) => {
    const { work, close } = workOn(facts, folder, options)
    try {
      for (const part of chosen) files.push(...(await outputs[part](work)))
    } finally {
      await close()
    }
  })
  return { out, files }
}

/** What was asked for must be there; by default, all that is there. */
function chosenParts(
  { project, settings, model, certificates }: Facts,
  only: readonly ExportPart[] | undefined,
): readonly ExportPart[] {
  const missing = new Map<ExportPart, Missing>()
  const note = (what: Missing, ...without: ExportPart[]) => {
    for (const part of without) missing.set(part, what)
  }
  if (certificates.length === 0) note({ needed: 'a certificate', hint: 'alis certify makes one.' }, 'certificates')
  if (!model)
    note({ needed: 'a model', hint: 'The first round makes one: alis run goes on where it stopped.' }, 'predictions', 'model')
  if (settings.wishes.scores) note({ needed: 'a model of its own', got: 'scores in columns', hint: inColumns }, 'model')
  const got = rowless(settings)
  if (got) note({ needed: 'a pool in files', got, hint: elsewhere }, 'predictions', 'label-studio', 'prodigy')
  for (const part of only ?? []) {
    const lacking = missing.get(part)
    if (!lacking) continue
    const { needed, got = 'none yet', hint } = lacking
    throw new AlisError('bad-input', `${project.path}: must have ${needed} to export ${part}, got ${got}`, hint)
  }
  return only ?? parts.filter((part) => !missing.has(part))
}

/** What a part of an export cannot do without. */
interface Missing {
  readonly needed: string
  readonly got?: string
  readonly hint: string
}

const inColumns = 'Whoever refreshes the columns has the model.'
const elsewhere = 'Labels and certificates can be exported: --only labels. Join them with the pool where it lies, by id.'

/** Opens the pool when somebody first asks for it. */
function workOn(
  facts: Facts,
  folder: string,
  { format, pool: moved, progress, signal }: ExportOptions,
): { work: Work; close(): Promise<void> } {
  let opened: Promise<Pool> | undefined
  const pool = () => {
    opened ??= openPool(facts.project, facts.settings, moved ?? facts.settings.pool.path)
    return opened
  }
  return {
    work: {
      facts,
      folder,
      format,
      pool,
      async *rows(what) {
        const { file } = await pool()
        for await (const batch of poolRows(await pool(), what, (rows) => progress?.(rows / file.table.rows))) {
          signal?.throwIfAborted()
          yield batch
        }
      },
    },
    async close() {
      const { file } = (await opened?.catch(() => undefined)) ?? {}
      await file?.table.close()
    },
  }
}

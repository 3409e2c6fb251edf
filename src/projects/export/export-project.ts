import { basename, dirname, join, resolve } from 'node:path'
import { requireInput } from '../../core/errors.ts'
import type { TableFormat } from '../../sources/write-table.ts'
import { type Facts, readFacts } from './facts.ts'
import { outputs, type Part, type Work, type WrittenFile } from './outputs.ts'
import { openPool, type Pool, poolRows } from './pool-rows.ts'
import { fillDirectory } from './staging.ts'

export interface ExportOptions {
  /** Where to; beside the project if left out. */
  readonly out?: string
  readonly format: TableFormat
  /** All there is, if left out. */
  readonly only?: readonly Part[]
  /** Where the pool is now, if it was moved. */
  readonly pool?: string
  /** Whether files of an earlier export may be replaced. */
  readonly force?: boolean
  /** Hears how far a pass over the pool has come, from 0 to 1. */
  readonly progress?: (share: number) => void
  readonly signal?: AbortSignal
}

export const parts = Object.keys(outputs) as Part[]

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
function chosenParts({ project, model, certificates }: Facts, only: readonly Part[] | undefined): readonly Part[] {
  const missing = new Map<Part, string>([
    ...(model
      ? []
      : ([
          ['predictions', 'model'],
          ['model', 'model'],
        ] as const)),
    ...(certificates.length > 0 ? [] : ([['certificates', 'certificate']] as const)),
  ])
  for (const part of only ?? [])
    requireInput(
      !missing.has(part),
      `${project.path}: must have a ${missing.get(part)} to export ${part}, got none yet`,
      part === 'certificates' ? 'alis certify makes one.' : 'The first round makes one: alis run goes on where it stopped.',
    )
  return only ?? parts.filter((part) => !missing.has(part))
}

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

import { basename, dirname, join, resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { requireInput } from '../core/errors.ts'
import { didYouMean } from '../core/nearest-name.ts'
import { type TableFormat, tableFormats } from '../sources/write-table.ts'
import { type Facts, readFacts } from './export/facts.ts'
import { outputs, type Part, type Work, type WrittenFile } from './export/outputs.ts'
import { openPool, type Pool, poolRows } from './export/pool-rows.ts'
import { fillDirectory } from './export/staging.ts'
import { writeLine } from './json-lines.ts'
import { names } from './options.ts'
import { count } from './terminal/format.ts'
import { progressBar } from './terminal/progress.ts'

const parts = Object.keys(outputs) as Part[]

interface Options {
  readonly out?: string
  readonly format: TableFormat
  readonly only?: readonly Part[]
  readonly pool?: string
  readonly force?: boolean
  readonly json?: boolean
}

export function exportCommand(signal: AbortSignal): Command {
  return new Command('export')
    .description('Hand over what a project has come to: labels with weights, predictions, model, certificates.')
    .argument('<project>', 'NAME.alis, also while somebody works on it')
    .option('--out <directory>', 'where to (default: NAME-export beside the project)')
    .addOption(new Option('--format <name>', 'of labels and predictions').choices(tableFormats).default('csv'))
    .option('--only <parts>', `of ${parts.join(', ')}, separated by commas (default: all there are)`, partsIn)
    .option('--pool <file>', 'where the pool is now, if it was moved')
    .option('--force', 'replace the files of an earlier export')
    .option('--json', 'one JSON object a line on stdout, for programs')
    .addHelpText(
      'after',
      `
Examples:
  $ alis export mails.alis
  $ alis export mails.alis --format parquet --out for-training --only labels,predictions
  $ alis export mails.alis --only label-studio --out for-label-studio`,
    )
    .action((path: string, options: Options) => run(path, options, signal))
}

function partsIn(text: string): Part[] {
  return names(text).map((name) => {
    const part = parts.find((each) => each === name)
    if (part) return part
    const hint = didYouMean(name, parts) ?? `There are ${parts.join(', ')}.`
    throw new InvalidArgumentError(`parts of an export are required, got ${JSON.stringify(name)}\n${hint}`)
  })
}

async function run(path: string, options: Options, signal: AbortSignal): Promise<void> {
  const { out, files } = await exportProject(path, options, signal)
  if (options.json) writeLine('result', { out, files })
  else process.stdout.write(`${out}\n${files.map(lineOf).join('')}`)
}

/** Writes what a project has come to, and says where and what. */
export async function exportProject(
  path: string,
  options: Options,
  signal: AbortSignal,
): Promise<{ readonly out: string; readonly files: readonly WrittenFile[] }> {
  const facts = await readFacts(path)
  const chosen = chosenParts(facts, options.only)
  const name = facts.project.path
  const out = resolve(options.out ?? join(dirname(name), `${basename(name, '.alis')}-export`))
  const files: WrittenFile[] = []
  await fillDirectory(out, { force: options.force ?? false }, async (folder) => {
    const { work, close } = workOn(facts, folder, options, signal)
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

/** Opens the pool when somebody first asks for it, and shows how far a pass over it has come. */
function workOn(
  facts: Facts,
  folder: string,
  { format, pool: moved, json }: Options,
  signal: AbortSignal,
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
        const bar = json ? undefined : progressBar({ label: 'exporting', total: file.ids.length })
        try {
          for await (const batch of poolRows(await pool(), what, (rows) => bar?.update(rows))) {
            signal.throwIfAborted()
            yield batch
          }
        } finally {
          bar?.stop()
        }
      },
    },
    async close() {
      const { file } = (await opened?.catch(() => undefined)) ?? {}
      await file?.table.close()
    },
  }
}

function lineOf({ file, rows }: WrittenFile): string {
  return `  ${rows === undefined ? file : `${file.padEnd(24)} ${count(rows)} ${rows === 1 ? 'row' : 'rows'}`}\n`
}

import { basename, extname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Command, Option } from 'commander'
import { orClosed } from '../../core/closing.ts'
import { AlisError, requireInput } from '../../core/errors.ts'
import { didYouMean } from '../../core/nearest-name.ts'
import { embeddedTable } from '../../embeddings/embedded-table.ts'
import type { Recipe } from '../../features/recipe.ts'
import { readModelFile } from '../../projects/export/model-file.ts'
import { requireWritable, writeWhole } from '../../projects/export/output-file.ts'
import { predictorOf, type RowPredictor } from '../../projects/export/predictor.ts'

import { idColumn } from '../../projects/pools/points.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import type { Table } from '../../sources/table.ts'
import { tableBytes, type WrittenColumn, type WrittenRow } from '../../sources/write-table.ts'
import { count } from '../../text/wording.ts'
import type { OutputOptions } from '../options/output.ts'
import { asRead, type ReadingOptions, withReadingOptions } from '../options/reading.ts'
import { modelPlace } from '../options/values.ts'
import { sayResult } from '../reports/output.ts'
import { progressBar, underBar } from '../terminal/progress.ts'

interface Options extends OutputOptions, ReadingOptions {
  readonly out?: string
  readonly format?: 'csv' | 'jsonl'
  readonly id?: string
  readonly probabilities?: boolean
  readonly raw?: boolean
  readonly embedModel?: string
}

export function predictCommand(signal: AbortSignal): Command {
  const command = new Command('predict')
    .argument('<model>', 'model.json, as alis export writes it')
    .argument(
      '<file>',
      '- for stdin, or CSV, TSV, JSON, JSONL, Parquet or Arrow file with the columns the model was learned from',
    )
    .option('--out <file>', 'where to; - is stdout, as is nothing')
    .addOption(
      new Option('--format <name>', "of the predictions (default: by the file's ending, or else csv)").choices(['csv', 'jsonl']),
    )
    .option('--id <column>', 'names the rows (default: a column called id, or else the row number)')
    .option(
      '--embed-model <folder|name>',
      'where the model of the vectors is now, if the model was learned from some',
      modelPlace,
    )
    .option('--raw', 'CSV for programs: cells that a spreadsheet would take for formulas get no apostrophe')
    .option('--probabilities', 'add a column for every class with its probability')
    .option('--json', 'one JSON object a line on stdout, for programs; needs --out')
    .addHelpText(
      'after',
      `
Examples:
  $ alis predict mails-export/model.json new-mails.csv > predicted.csv
  $ alis predict mails-export/model.json new-mails.parquet --id message --probabilities --out predicted.jsonl`,
    )
    .action(async (model: string, file: string, options: Options) => run(model, await asRead(file, options), options, signal))
  return withReadingOptions(command)
}

async function run(modelPath: string, path: string, options: Options, signal: AbortSignal): Promise<void> {
  const out = options.out === '-' ? undefined : options.out
  requireWritable(out, '--out', { inputs: [modelPath, path], takesStreams: true })
  requireInput(
    out !== undefined || !options.json,
    '--json: needs --out, got predictions for stdout',
    'Or take --format jsonl alone.',
  )
  const { model, recipe } = readModelFile(modelPath)
  const classes = options.probabilities ? model.classes : []
  requireClassColumns(classes)
  const table = await openFor(recipe, path, options, signal)
  const bar = progressBar({ label: 'predicting', total: table.rows })
  let rows = 0
  try {
    requireColumns(path, table, recipe)
    const id = options.id ?? idColumn(table, undefined)
    const predicted = predictions(table, predictorOf(model, recipe), { id, hasProbabilities: classes.length > 0 }, signal)
    const bytes = tableBytes(columnsFor(classes), options.format ?? formatOf(out), counted(predicted), { isRaw: options.raw })
    if (out === undefined) await pipeline(Readable.from(bytes), process.stdout, { end: false })
    else await writeWhole(out, bytes)
  } finally {
    bar.stop()
    await table.close()
  }
  if (out !== undefined) sayResult(options, { rows, model: model.id, out }, [`${basename(out)}: ${count(rows)} predictions`])

  async function* counted(batches: AsyncIterable<readonly WrittenRow[]>): AsyncGenerator<readonly WrittenRow[]> {
    for await (const batch of batches) {
      yield batch
      rows += batch.length
      bar.update(rows)
    }
  }
}

/** A table with the vectors that the recipe begins with. */
async function openFor({ embedded = [] }: Recipe, path: string, options: Options, signal: AbortSignal): Promise<Table> {
  const table = await openTable(path, { mayBeEmpty: true })
  if (embedded.length === 0) return table
  const model = options.embedModel ?? embedded[0]!.model
  const columns = embedded.map(({ column }) => column)
  requireNamed(path, table, columns)
  return orClosed(table, async () => {
    const made = await underBar('embedding', (progress) => embeddedTable(table, { path, columns, model, progress, signal }))
    const [wanted, got] = [embedded[0]!.identity, made.embedded[0]!.identity]
    requireInput(
      wanted === got,
      `--embed-model: the model that the recipe was learned with is required, ${wanted}, got ${got}`,
      'Name the folder where it is now.',
    )
    return made
  })
}

async function* predictions(
  table: Table,
  { wanted, predict }: RowPredictor,
  { id, hasProbabilities }: { readonly id: string | undefined; readonly hasProbabilities: boolean },
  signal: AbortSignal,
): AsyncGenerator<WrittenRow[]> {
  const asked = [...wanted, ...(id === undefined ? [] : [{ name: id, as: 'text' as const }])]
  for await (const batch of table.batches(asked)) {
    signal.throwIfAborted()
    const ids = id === undefined ? undefined : batch.columns.at(-1)!.values
    yield predict(batch).map(({ prediction, confidence, probabilities }, i) => {
      const name = ids ? (ids[i] as string | null) : `${batch.start + i + 1}`
      return [name, prediction, confidence, ...(hasProbabilities ? probabilities : [])]
    })
  }
}

const ownColumns: readonly WrittenColumn[] = [
  { name: 'id', type: 'text' },
  { name: 'prediction', type: 'text' },
  { name: 'confidence', type: 'number' },
]

/** Probabilities stand under the names of their classes, where `alis audit --probabilities` looks for them. */
function columnsFor(classes: readonly string[]): WrittenColumn[] {
  return [...ownColumns, ...classes.map((name) => ({ name, type: 'number' as const }))]
}

function requireClassColumns(classes: readonly string[]): void {
  const taken = new Set(ownColumns.map(({ name }) => name))
  for (const name of classes) {
    const folded = name.toLowerCase()
    requireInput(
      !taken.has(folded),
      `--probabilities: a class must name a column of its own, got a second ${JSON.stringify(folded)}`,
    )
    taken.add(folded)
  }
}

function requireColumns(path: string, table: Table, { parts }: Recipe): void {
  requireNamed(path, table, [...new Set(parts.map(({ column }) => column))])
}

function requireNamed(path: string, { columns }: Table, wanted: readonly string[]): void {
  const there = columns.map(({ name }) => name)
  const missing = wanted.filter((column) => !there.includes(column))
  if (missing.length === 0) return
  const few = firstFew(
    missing.map((name) => JSON.stringify(name)),
    5,
  )
  const hint = didYouMean(missing[0]!, there) ?? `Its columns are ${firstFew(there, 12)}.`
  const message = `${path}: must have the columns that the model was learned from, got none called ${few}`
  throw new AlisError('bad-input', message, missing.length === 1 ? hint : `For ${JSON.stringify(missing[0])}: ${hint}`)
}

const firstFew = (names: readonly string[], most: number) => names.slice(0, most).join(', ') + (names.length > most ? ', …' : '')

const formatOf = (out: string | undefined) => (/\.(jsonl|ndjson)$/.test(extname(out ?? '')) ? 'jsonl' : 'csv')

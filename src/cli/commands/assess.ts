import { basename } from 'node:path'
import { Command } from 'commander'
import { closing } from '../../core/closing.ts'
import { AlisError, requireInput } from '../../core/errors.ts'
import { didYouMean } from '../../core/nearest-name.ts'
import { pick } from '../../core/pick.ts'
import { nowOfPredictions } from '../../projects/now.ts'
import type { NowFound } from '../../projects/now-on-record.ts'
import { idColumn, requireIds, rowNumbers } from '../../projects/pools/points.ts'
import { openToRead, poolFolder, poolOf, type Settings, settingsOf } from '../../projects/settings.ts'
import type { GivenPrediction } from '../../running/given-predictions.ts'
import type { GivenNow } from '../../running/running.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import type { Table } from '../../sources/table.ts'
import type { Project } from '../../stores/project.ts'
import { nowWords, surelyMeans } from '../../text/now.ts'
import { count, percent } from '../../text/wording.ts'
import { type EngineOptions, withOptions } from '../options/options.ts'
import { jsonFlag, type OutputOptions } from '../options/output.ts'
import { nowFacts, whyNotWords } from '../reports/now.ts'
import { sayResult } from '../reports/output.ts'
import { underReadingBar } from '../terminal/progress.ts'

interface Options extends EngineOptions, OutputOptions {
  readonly prediction: string
  readonly confidence?: string
  readonly id?: string
}

export function assessCommand(signal: AbortSignal): Command {
  const command = new Command('assess')
    .argument('<project>', 'NAME.alis, also while somebody works on it')
    .argument('<predictions>', 'CSV, TSV, JSON, JSONL, Parquet or Arrow file: a prediction for every point without an answer')
    .option('--prediction <column>', 'what is predicted', 'prediction')
    .option('--confidence <column>', 'the chance that it is right (default: a column called confidence, if there is one)')
    .option('--id <column>', 'names the points (default: a column called id, or else the row number)')
    .option(...jsonFlag)
    .addHelpText(
      'after',
      `
The model may have learned from the same answers, and may be chosen among many after looking: limits hold for every model
at once. They are wider the more it differs from the models of the project.

Examples:
  $ alis assess mails.alis their-predictions.csv
  $ alis assess mails.alis scored.parquet --prediction label --confidence p --json`,
    )
    .action((path: string, file: string, options: Options) =>
      closing(openToRead(path), (project) => assess(project, file, options, signal)),
    )
  return withOptions(command, 'engine')
}

async function assess(project: Project, file: string, options: Options, signal: AbortSignal): Promise<void> {
  const settings = await settingsOf(project)
  requireInput(
    !settings.wishes.scores && !settings.wishes.elsewhere,
    `${project.path}: a project that learns its model is required, got one whose ${settings.wishes.scores ? 'scores are kept in columns' : 'model is fitted elsewhere'}`,
    'Classes by scores that were refreshed since are not known any more. alis audit measures any predictions.',
  )
  const given = await closing(openTable(file), (table) => predictionsIn(table, options))
  const found = await foundIn(project, settings, given, options, signal)
  const { now, why } = found
  const facts = now && { ...nowFacts(now), ...pick(now, 'points', 'differing', 'expected') }
  const result = { project: project.path, predictions: file, now: facts, ...(why && { noNow: why }) }
  sayResult(options, result, now ? wordsOf(file, now) : `${basename(file)}: ${whyNotWords(why!)}`)
}

async function foundIn(
  project: Project,
  settings: Settings,
  given: readonly GivenPrediction[],
  options: Options,
  signal: AbortSignal,
): Promise<NowFound<GivenNow>> {
  const data = await underReadingBar({ isSilent: options.json, signal }, (loading) =>
    poolOf(project, settings, { ...loading, folder: poolFolder(project) }, options),
  )
  return nowOfPredictions(project, settings, data, given, signal).finally(() => data.close())
}

async function predictionsIn(table: Table, options: Options): Promise<GivenPrediction[]> {
  const named = (name: string) => table.columns.find((column) => column.name === name)
  requireColumn(table, 'prediction', options.prediction)
  if (options.confidence !== undefined) requireColumn(table, 'confidence', options.confidence)
  if (options.id !== undefined) requireColumn(table, 'id', options.id)
  const id = options.id ?? idColumn(table, undefined)
  const confidence = options.confidence ?? named('confidence')?.name
  const text = (name: string) => ({ name, as: 'text' as const })
  const asked = [
    text(options.prediction),
    ...(id === undefined ? [] : [text(id)]),
    ...(confidence === undefined ? [] : [{ name: confidence, as: 'number' as const }]),
  ]
  const cells: { readonly id: string | null; readonly label: string | null; readonly confidence?: number }[] = []
  const numbers = id === undefined ? rowNumbers(table.rows) : undefined
  for await (const { start, columns } of table.batches(asked)) {
    const labels = columns[0]!.values as ArrayLike<string | null>
    const ids = numbers ?? (columns[1]!.values as ArrayLike<string | null>)
    const sure = confidence === undefined ? undefined : (columns.at(-1)!.values as ArrayLike<number>)
    for (let i = 0; i < labels.length; i++)
      cells.push({
        id: ids[numbers ? start + i : i]!,
        label: labels[i]!,
        ...(sure && !Number.isNaN(sure[i]!) && { confidence: sure[i]! }),
      })
  }
  requireIds(
    id ?? 'id',
    cells.map((cell) => cell.id),
  )
  const empty = cells.find(({ label }) => label === null)
  const hint = 'Leave out rows without one, if they have an answer.'
  requireInput(!empty, `${options.prediction}: every row needs a prediction, got none for ${JSON.stringify(empty?.id)}`, hint)
  return cells as GivenPrediction[]
}

function requireColumn({ columns }: Table, what: string, name: string): void {
  const there = columns.map((column) => column.name)
  if (there.includes(name)) return
  const hint = didYouMean(name, there) ?? `Its columns are ${there.join(', ')}. Name one with --${what}.`
  throw new AlisError('bad-input', `${what}: a column of the file is required, got ${JSON.stringify(name)}`, hint)
}

function wordsOf(file: string, now: GivenNow): string {
  const { differing, points, expected, answers, level } = now
  const value = { 'by themselves': 'their own confidence', 'by the last model': "the project's own model" }[expected]
  return [
    `${basename(file)}: ${nowWords(now)}.`,
    `The last model of the project says otherwise of ${count(differing)} of them (${percent(differing / points)}).`,
    `surely: ${surelyMeans(level)}, whichever model was chosen; from ${count(answers)} answers.`,
    `about: without a guarantee, by ${value} and the surprises so far.`,
  ].join('\n')
}

import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Command } from 'commander'
import pc from 'picocolors'
import { closing } from '../../core/closing.ts'
import { pick } from '../../core/pick.ts'
import { isFor, poolSizes, unanswered } from '../../core/record.ts'
import { isClickHouse } from '../../engines/clickhouse/address.ts'
import { certifiedModel, type DeliveredModel } from '../../projects/certified-model.ts'
import { type NowFound, nowOnRecord } from '../../projects/now-on-record.ts'
import {
  knownSettings,
  openToRead,
  type PoolFile,
  poolFolder,
  poolOf,
  type Settings,
  settingsOf,
} from '../../projects/settings.ts'
import { strategyWords } from '../../projects/strategy-settings.ts'
import type { Certificate } from '../../questions/certificate.ts'
import type { EarlierCertificate } from '../../questions/earlier.ts'
import { isRevised } from '../../questions/void.ts'
import { machineWords, sharesOf } from '../../questions/words.ts'
import { openDatabase } from '../../sources/duckdb.ts'
import { type DataFile, findFiles, namedFile } from '../../sources/files.ts'
import { isRemote } from '../../sources/remote.ts'
import type { Project, ProjectEvent } from '../../stores/project.ts'
import type { KeptModel } from '../../stores/store.ts'
import { nowWords } from '../../text/now.ts'
import { visible } from '../../text/visible.ts'
import { count, rounded } from '../../text/wording.ts'
import { jsonFlag, type OutputOptions } from '../options/output.ts'
import { isFoundInPool, nowFacts, whyNotWords } from '../reports/now.ts'
import { sayDrawn, writeLine } from '../reports/output.ts'
import { displayWidth, pad, wantsColor } from '../terminal/width.ts'

interface Options extends OutputOptions {
  readonly check?: boolean
  readonly now?: boolean
}

export function statusCommand(signal: AbortSignal): Command {
  return new Command('status')
    .argument('<project>', 'NAME.alis')
    .option('--check', 'read the pool file to see whether it is still the same')
    .option('--now', 'read the pool, to see how good the model is now where that is not on record')
    .option(...jsonFlag)
    .addHelpText(
      'after',
      `
Examples:
  $ alis status mails.alis
  $ alis status mails.alis --check
  $ alis status mails.alis --now
  $ alis status mails.alis --json`,
    )
    .action((path: string, options: Options) => closing(openToRead(path), (project) => status(project, options, signal)))
}

async function status(project: Project, options: Options, signal: AbortSignal): Promise<void> {
  const beginning = await beginningOf(project)
  const { pool, added = [], wishes } = beginning
  const isChecked = options.check === true && !wishes?.scores // which change
  const file = pool && worst(await poolStates([pool, ...added], isChecked, signal))
  signal.throwIfAborted()
  const standing = await statusOf(project, beginning, file)
  const found = await nowIn(project, options, signal)
  if (!found) return sayStatus(options, standing, statusWords(standing))
  const { now, why } = found
  const said = { ...standing, now: nowFacts(now), ...(why && { noNow: why }) }
  sayStatus(options, said, statusWords(standing, now ? nowWords(now) : whyNotWords(why!)))
}

/** How good the model is, off the record; off the pool where a caller asks for it and the record does not tell. An audit has no model that learns. */
async function nowIn(project: Project, options: Options, signal: AbortSignal): Promise<NowFound | undefined> {
  const settings = await knownSettings(project)
  if (!settings) return undefined
  const kept = await nowOnRecord(project, settings)
  if (!options.now || !kept.why || !isFoundInPool(kept.why)) return kept
  const { nowOf } = await import('../../projects/now.ts') // and what reads pools: only where one is read
  const { underReadingBar } = await import('../terminal/progress.ts')
  const data = await underReadingBar({ isSilent: options.json, signal }, (loading) =>
    poolOf(project, settings, { ...loading, folder: poolFolder(project) }),
  )
  const model = (await data.look?.()) ?? (await project.models()).at(-1)!.model
  return nowOf(project, settings, data, model).finally(() => data.close())
}

/** What a project began with: all of it if it learns, little of it if it audits. */
type BegunWith = Pick<Settings, 'seed' | 'seedChosen'> &
  Partial<Pick<Settings, 'pool' | 'added' | 'classes' | 'strategy' | 'know' | 'wishes'>> & { readonly model?: string }

async function beginningOf(project: Project): Promise<BegunWith> {
  return (await knownSettings(project)) ?? (await project.recall<BegunWith>('audit')) ?? settingsOf(project) // which says that there is nothing
}

const poolStateNames = ['missing', 'changed', 'there', 'elsewhere', 'unchanged'] as const // the worst first
type PoolState = (typeof poolStateNames)[number]

const worst = (states: readonly PoolState[]) => poolStateNames.find((state) => states.includes(state))!

async function poolStates(files: readonly PoolFile[], check: boolean, signal: AbortSignal): Promise<PoolState[]> {
  const states: PoolState[] = []
  for (const file of files) states.push(await poolState(file, check, signal))
  return states
}

/** Whether the file is there is free to know; whether it is the same takes reading it. */
async function poolState({ path, hash }: PoolFile, check: boolean, signal: AbortSignal): Promise<PoolState> {
  if (isClickHouse(path) || isRemote(path)) return 'elsewhere'
  const files = await filesAt(path).catch(() => [])
  if (files.length === 0) return existsSync(path) ? 'changed' : 'missing' // what cannot be a pool is not that pool
  if (!check) return 'there'
  const { hashFiles } = await import('../../sources/file-hash.ts')
  return (await hashFiles(files, signal)) === hash ? 'unchanged' : 'changed'
}

/** A database, which takes a while to load, is asked about patterns alone. */
async function filesAt(path: string): Promise<DataFile[]> {
  const file = await namedFile(path)
  return file ? [file] : closing(openDatabase(), (database) => findFiles(database, path))
}

type ProjectStatus = Awaited<ReturnType<typeof statusOf>>

async function statusOf(
  project: Project,
  { pool, added = [], seed, seedChosen, ...beginning }: BegunWith,
  file: PoolState | undefined,
) {
  const rounds = await project.rounds()
  const answers = rounds.flatMap((round) => [...round.answers.values()])
  const machines = rounds.flatMap((round) => [...(round.machines?.values() ?? [])])
  const certificates = await project.certificates()
  const models = await project.models()
  const last = models.at(-1)?.model
  const classes = beginning.classes ?? [...new Set(answers)].filter((label) => label !== null).sort()
  return {
    project: project.path,
    pool: {
      ...(pool && { ...pool, file }),
      ...(added.length > 0 && { added: added.map(({ path }) => path) }),
      points: poolSizes(rounds).at(-1) ?? null,
    },
    classes,
    strategy: beginning.strategy ?? rounds.findLast((round) => !isFor('given', round))?.strategy ?? null,
    ...pick(beginning, 'know'),
    seed,
    seedChosen,
    rounds: rounds.filter(({ isClosed }) => isClosed).length,
    answers: answers.length,
    ...(machines.length > 0 && { machines: sharesOf(machines) }),
    labels: Object.fromEntries(classes.map((name) => [name, answers.filter((label) => label === name).length])),
    cannotTell: answers.filter((label) => label === null).length,
    waiting: rounds.slice(-1).flatMap((round) => (round.isClosed ? [] : unanswered(round))).length,
    model: beginning.model ?? last?.id ?? null,
    ...(last?.kind === 'columns' && last.name !== undefined && { fitted: last.name }),
    ...(beginning.wishes?.scores && { scores: beginning.wishes.scores }),
    certificates: certificates.length,
    void: certificates.filter(({ text }) => isRevised(JSON.parse(text) as Certificate | EarlierCertificate, rounds)).length,
    certified: certifiedIn(certifiedModel({ models, certificates, rounds }), models.at(-1)),
    bytes: sizeOnDisk(project.path),
    last: await lastEvent(project),
  }
}

/** Which model a certificate is about that stands, and whether it is the newest. */
function certifiedIn(certified: DeliveredModel | undefined, newest: KeptModel | undefined) {
  if (!certified) return null
  const { model, round, certificate } = certified
  return { model: model.id, after: round + 1, seal: certificate!.seal, isNewest: model.id === newest?.model.id }
}

/** What happened last, an answer or something else that was noted. */
async function lastEvent(project: Project): Promise<Pick<ProjectEvent, 'kind' | 'time'> | null> {
  const answer = (await project.answers()).at(-1)
  const event = (await project.events()).at(-1)
  if (answer && (!event || answer.time >= event.time)) return { kind: 'answer', time: answer.time }
  return event ? { kind: event.kind, time: event.time } : null
}

export function sizeOnDisk(directory: string): number {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0)
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** "512 bytes", "1.2 MB" */
export function bytesSay(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const unit = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  return `${rounded(bytes / 1000 ** unit)} ${units[unit]}`
}

function sayStatus({ json }: Options, result: object, drawn: string): void {
  if (json) writeLine('result', result)
  else sayDrawn(drawn)
}

function statusWords({ project, pool, ...rest }: ProjectStatus, now?: string): string {
  const { bold, dim } = pc.createColors(wantsColor(process.stdout))
  const { strategy, know, seed, seedChosen, rounds, answers, waiting, model, fitted, scores, certificates, bytes, last } = rest
  const { certified } = rest
  const points = pool.points === null ? 'nothing drawn yet' : `${count(pool.points)} points`
  const facts: [string, string][] = [
    ['pool', points],
    ...(pool.file
      ? [['file', `${[pool.path, ...(pool.added ?? [])].join(', ')}, ${fileSays[pool.file]}`] as [string, string]]
      : []),
    [
      'strategy',
      `${strategy ? strategyWords({ strategy, know }) : 'none yet'}, seed ${seed} (${seedChosen ? 'chosen' : 'fresh'})`,
    ],
    ['rounds', `${count(rounds)} closed, ${count(answers)} answers${machineWords(rest.machines ?? [], answers)}`],
    ['waiting', waiting === 0 ? 'nothing' : `${count(waiting)} draws without an answer`],
    [
      'model',
      `${scores ? `scores in ${scores.join(', ')}, as they were last seen: ` : fitted ? `${fitted}, ` : ''}${model ?? 'none yet'}`,
    ],
    ...(now === undefined ? [] : [['right now', now] as [string, string]]),
    ...(certified ? [['certified', certifiedWords(certified)] as [string, string]] : []),
    ['certificates', certificates === 0 ? 'none yet' : `${count(certificates)}${voidSays(rest.void)}`],
    ['on disk', bytesSay(bytes)],
    ['last', last ? `${last.kind}, ${last.time.slice(0, 16).replace('T', ' ')} UTC` : 'nothing'],
  ]
  const lines = facts.map(([name, value]) => `  ${dim(name.padEnd(12))}  ${visible(value)}`)
  return [bold(visible(basename(project))), ...lines, '', ...labelBars(rest)].join('\n')
}

const certifiedWords = ({ model, after, isNewest }: { model: string; after: number; isNewest: boolean }) =>
  isNewest ? 'this model' : `the model after round ${after}, ${model}; the one above has learned since and is not certified`

const voidSays = (n: number) =>
  n === 0 ? '' : `, ${count(n)} of them void: answers were revised since. alis certify or alis audit makes a new one`

const fileSays: Readonly<Record<PoolState, string>> = {
  there: 'still there (--check compares it)',
  elsewhere: 'on servers that were not asked',
  missing: 'not there any more',
  unchanged: 'unchanged',
  changed: 'changed since the project began',
}

/** A bar for each class, the longest for the most answers. */
function labelBars({ classes, labels, cannotTell }: Pick<ProjectStatus, 'classes' | 'labels' | 'cannotTell'>): string[] {
  const shown: [string, number][] = classes.slice(0, 20).map((name) => [visible(name), labels[name]!])
  if (cannotTell > 0) shown.push(['cannot tell', cannotTell])
  const most = Math.max(1, ...shown.map(([, n]) => n))
  const width = Math.max(12, ...shown.map(([name]) => displayWidth(name)))
  const bars = shown.map(
    ([name, n]) => `  ${pad(name, width)}  ${'━'.repeat(Math.ceil((20 * n) / most)).padEnd(20, '╌')}  ${count(n)}`,
  )
  return classes.length > 20 ? [...bars, `  and ${count(classes.length - 20)} more classes`] : bars
}

import { basename } from 'node:path'
import { closing } from '../../core/closing.ts'
import { requireInput } from '../../core/errors.ts'
import { didYouMean } from '../../core/nearest-name.ts'
import { drawnIds, isFor } from '../../core/record.ts'
import { type Contradiction, importLabels, type LabelImport } from '../../import-labels.ts'
import { auditFacts } from '../../projects/audit-facts.ts'
import { loadPredictions } from '../../projects/load-predictions.ts'
import { engineOver } from '../../projects/pools/open-file.ts'
import { idColumn, readIds } from '../../projects/pools/points.ts'
import { absolute, dataOf, isAudit, type Settings, settingsOf } from '../../projects/settings.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import type { Project } from '../../stores/project.ts'
import { count } from '../../text/wording.ts'
import type { OutputOptions } from '../options/output.ts'
import { sayResult } from '../reports/output.ts'
import { underReadingBar } from '../terminal/progress.ts'
import { placeOf } from './project-subject.ts'

interface Options extends OutputOptions {
  /** Where the labels are, and the ids. */
  readonly column: string
  readonly id?: string | undefined
}

/** What labels join: where its points are, what labels can be, and the run they are part of. */
interface Receiver extends Pick<LabelImport, 'engine' | 'classes' | 'range' | 'seed' | 'seedChosen'> {
  readonly requirePoints: (ids: readonly string[]) => Promise<void>
  readonly words: (left: string) => string
  close(): Promise<void>
}

/** Labels that are there already. */
export async function addLabels(project: Project, path: string, options: Options): Promise<void> {
  const settings = (await isAudit(project)) ? undefined : await settingsOf(project)
  const labels = await labelsIn(path, settings, { ...options, id: options.id ?? (await ownIds(project, settings)) })
  await closing(settings ? ofLearning(project, settings, path, options) : ofAudit(project, options), async (receiver) => {
    await receiver.requirePoints([...labels.keys()])
    const { engine } = receiver
    const given = await importLabels({ ...receiver, store: project, labels, annotator: basename(path) })
    await project.event('import', { from: absolute(path), labels: given.labels, drawn: given.drawn })
    const left = engine.size - (await project.rounds()).flatMap(({ draws }) => draws).length
    const drawn = given.drawn > 0 ? `; ${count(given.drawn)} more are of points drawn already, whose answers stand` : ''
    const words = `${count(given.labels)} labels joined${drawn}.\n${contradictionWords(given.contradicting)}${receiver.words(count(left))}`
    sayResult(options, { project: project.path, ...given, left }, words)
  })
}

const mostNamed = 5

/** Which labels say otherwise than answers on record, by their points. */
function contradictionWords(contradicting: readonly Contradiction[]): string {
  if (contradicting.length === 0) return ''
  const named = contradicting.slice(0, mostNamed).map(({ id, given, stands }) => `${id} (${given} here, ${stands} on record)`)
  const more = contradicting.length > mostNamed ? `, and ${count(contradicting.length - mostNamed)} more` : ''
  return `${count(contradicting.length)} of these say otherwise: ${named.join(', ')}${more}.\n`
}

async function ofLearning(
  project: Project,
  settings: Settings,
  path: string,
  { json }: Pick<OutputOptions, 'json'>,
): Promise<Receiver> {
  const data = await underReadingBar({ isSilent: json }, (loading) => dataOf(project, settings, loading))
  const { classes, seed, seedChosen } = settings
  const there = new Set(data.pool.ids)
  return {
    engine: engineOver(data.file, data.pool),
    classes,
    seed,
    seedChosen,
    async requirePoints(ids) {
      const foreign = ids.find((id) => !there.has(id))
      requireInput(
        foreign === undefined,
        `${basename(path)}: every id must be that of a point in the pool, got ${JSON.stringify(foreign)}`,
        'Choose the column of ids with --id; points that are new come with --add first.',
      )
    },
    words: (left) => `Nobody drew them, so they say nothing about other points: models learn from them, each counts as itself,
and estimates and later certificates are about the other ${left} points.
An audit that has begun stays about its own points, and counts them as known.`,
    close: () => data.close(),
  }
}

/** An audit of predictions from elsewhere. One that has no draws yet would be about the other points alone, and not about the file. */
async function ofAudit(project: Project, { json }: Pick<OutputOptions, 'json'>): Promise<Receiver> {
  const rounds = await project.rounds()
  requireInput(
    rounds.some((round) => isFor('audit', round) && round.rules),
    `${project.path}: an audit that has begun is required, got none`,
    'alis audit begins it; labels count as known from then on.',
  )
  const facts = (await auditFacts(project))!
  const { path, columns, classes } = placeOf(facts, project)
  const predictions = await underReadingBar({ isSilent: json }, (loading) =>
    loadPredictions(path, { ...columns, classes }, loading),
  )
  const { pool, frame, model } = predictions
  if (model !== facts.model) await predictions.close()
  requireInput(
    model === facts.model,
    `${path}: must hold the predictions that were audited, got others`,
    'Put the file back as it was when the audit began.',
  )
  await pool.take(rounds.flatMap(drawnIds))
  return {
    engine: pool,
    classes,
    ...(frame.range && { range: frame.range }),
    seed: facts.seed,
    seedChosen: facts.seedChosen,
    requirePoints: async (ids) => void (await pool.codesOf(ids)),
    words: (left) => `Nobody drew them, so they say nothing about other points: the audit counts them as known, each for itself,
and draws from the other ${left}.`,
    close: () => predictions.close(),
  }
}

/** The column of ids that a project was begun with, if it was told. */
async function ownIds(project: Project, settings: Settings | undefined): Promise<string | undefined> {
  return settings ? settings.wishes.id : (await auditFacts(project))?.columns?.id
}

/** Labels by id, as classes of the project; empty cells are no labels. */
async function labelsIn(path: string, settings: Settings | undefined, { column, id }: Options): Promise<Map<string, string>> {
  return closing(openTable(path), async (table) => {
    const there = table.columns.map(({ name }) => name)
    requireColumn(path, column, there)
    const named = id ?? idColumn(table, column)
    if (named !== undefined) requireColumn(path, named, there)
    const ids = await readIds(table, named)
    const labels = new Map<string, string>()
    for (const [row, label] of (await table.strings(column)).entries()) {
      if (label === null) continue
      const known = labels.get(ids[row]!)
      const said = settings ? asClass(label, settings) : label
      requireInput(
        known === undefined || known === said,
        `${basename(path)}: one label a point is required, got ${known} and ${said} for ${JSON.stringify(ids[row])}`,
      )
      labels.set(ids[row]!, said)
    }
    requireInput(labels.size > 0, `${column}: at least one label is required, got none`)
    return labels
  })
}

export function requireColumn(path: string, name: string, there: readonly string[]): void {
  requireInput(
    there.includes(name),
    `${basename(path)}: a column ${JSON.stringify(name)} is required, got ${there.join(', ')}`,
    didYouMean(name, there),
  )
}

/** With one class against the rest, values become these two. */
function asClass(label: string, { positive, classes }: Settings): string {
  if (positive === undefined || classes.includes(label)) return label
  const [negative, one] = classes as [string, string]
  return label === positive || positive.split(',').includes(label) ? one : negative
}

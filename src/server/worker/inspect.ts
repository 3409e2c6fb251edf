import { stat } from 'node:fs/promises'
import { forecastOf } from '../../certificates/forecast.ts'
import { closing } from '../../core/closing.ts'
import { AlisError, requireInput } from '../../core/errors.ts'
import type { ColumnRole, Roles, Wishes } from '../../features/roles.ts'
import { type OpenFile, openFile } from '../../projects/pools/open-file.ts'
import { isPersonal, recognise } from '../../projects/predictions/recognise.ts'
import { projectNameFor } from '../../projects/project-name.ts'
import type { Class } from '../../protocol/project.ts'
import type { Inspection } from '../../protocol/start.ts'
import { splitReading } from '../../sources/file-reading.ts'
import type { Table } from '../../sources/table.ts'
import { keyed } from '../../text/class-keys.ts'
import { firstLook } from './first-look.ts'
import { contentOf, displayOf, type PointDisplay } from './point-view.ts'
import { inOneEncoding, waysToRead } from './ways-to-read.ts'

/** As many classes as are proposed from a column by itself. */
const mostProposed = 36

/** What is understood of a file. Nothing is drawn or written. */
export const inspect = (path: string, wishes: Wishes, signal: AbortSignal): Promise<Inspection> =>
  inOneEncoding(path, (path) => inspectAs(path, wishes, signal))

async function inspectAs(path: string, wishes: Wishes, signal: AbortSignal): Promise<Inspection> {
  const found = await stat(splitReading(path).file).catch(() => undefined)
  requireInput(found !== undefined, `${path}: must be a file, got nothing there`, 'Check the spelling of the path.')
  const { file, why } = await openedFor(path, wishes, signal)
  const { roles } = file
  return closing(file.table, async (table) => {
    const display = await displayOf(file, wishes.ignore)
    const look = await firstLook(table)
    const answers = roles.find((role) => role.column.name === wishes.label) ?? roles.find((role) => looksLikeAnswers(role))
    return {
      path,
      bytes: found.size,
      ways: await waysToRead(path, table.columns),
      rows: table.rows,
      columns: roles.map((role) => ({
        name: role.column.name,
        role: role.role === 'score' ? 'ignored' : role.role, // the page begins projects that learn
        reason: role.reason,
        isShown: role.isShown,
        looksLikeAnswers: looksLikeAnswers(role),
        isPersonal: role.column.kind === 'text' && isPersonal(role.column.name, role.column.examples),
        examples: role.column.examples.slice(0, 5).map((example) => example.slice(0, 200)),
        values: look.values.get(role.column.name) ?? [],
      })),
      preview: look.rows,
      recognised: recognise(
        table.columns.map((column) => ({
          ...column,
          values: look.values.get(column.name),
          range: look.ranges.get(column.name),
        })),
        table.rows,
      ),
      prices: pricesFor(table.rows),
      ...(why !== undefined && { unlearnable: why }),
      view: display.view,
      samples: display.view.kind === 'bitmap' ? await samplesOf(table, display) : [],
      classes: answers ? await classesIn(table, answers) : [],
      question: questionFor(roles, display.view.kind),
      project: projectNameFor(path),
    }
  })
}

/** A file to learn from, or else to look at: predictions can be checked where nothing can be learned. `why`: what is lacking. */
async function openedFor(path: string, wishes: Wishes, signal: AbortSignal): Promise<{ file: OpenFile; why?: string }> {
  try {
    return { file: await openFile(path, wishes, [], { signal }) }
  } catch (error) {
    if (!(error instanceof AlisError && error.message.startsWith('features:'))) throw error
    return { file: await openFile(path, { ...wishes, elsewhere: true }, [], { signal }), why: error.message }
  }
}

/** What a model may be wrong on in the end, for prices before there is one; and what it learns from until then, by what is wanted. */
const supposed = 0.06
const learning = [
  { tolerance: 0.1, learn: 60 },
  { tolerance: 0.05, learn: 120 },
  { tolerance: 0.03, learn: 240 },
]

/** About how many answers it takes to teach a model and to know how good it is: some to learn from, the others to measure it. */
function pricesFor(rows: number): Inspection['prices'] {
  return learning.map(({ tolerance, learn }) => {
    const left = Math.max(1, rows - learn)
    const measuring = { level: 0.95, tolerance, information: 0, variance: supposed * (1 - supposed), answers: 0, left }
    return { tolerance, learn, measure: Math.min(left, forecastOf(measuring).answers) }
  })
}

/** A column of few values whose name says what it is for; it would give itself away if it were learned from. */
function looksLikeAnswers({ column: { name, distinct }, role }: ColumnRole): boolean {
  const isNamedSo = /^(?:label|labels|class|classes|target|y|truth|answer|answers|category|digit)$/i.test(name)
  return role === 'label' || (isNamedSo && distinct >= 2 && distinct <= mostProposed)
}

async function samplesOf(table: Table, display: PointDisplay): Promise<number[][]> {
  const rows = Array.from({ length: Math.min(12, table.rows) }, (_, k) => k)
  const picked = await table.pick(rows, display.cells)
  return picked.map((cells) => {
    const fields = Object.fromEntries(display.cells.map((name, j) => [name, cells[j] ?? '0']))
    return contentOf({ id: '', fields }, display).cells!
  })
}

async function classesIn(table: Table, { column }: ColumnRole): Promise<Class[]> {
  if (column.distinct > mostProposed) return []
  const values = [...new Set(await table.strings(column.name))].filter((value): value is string => value !== null && value !== '')
  const areNumbers = values.every((value) => Number.isFinite(Number(value)))
  return keyed(values.sort((a, b) => (areNumbers ? Number(a) - Number(b) : 0) || (a < b ? -1 : 1)).slice(0, mostProposed))
}

function questionFor(roles: Roles, kind: string): string {
  if (kind === 'image' || kind === 'bitmap') return 'What is this?'
  return roles.some(({ role, isShown }) => role === 'text' && isShown) ? 'What is this about?' : 'Which class is this?'
}

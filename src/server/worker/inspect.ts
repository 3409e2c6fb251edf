import { stat } from 'node:fs/promises'
import { requireInput } from '../../core/errors.ts'
import type { ColumnRole, Roles, Wishes } from '../../features/roles.ts'
import { openFile } from '../../projects/pools/open-file.ts'
import { projectNameFor } from '../../projects/project-name.ts'
import type { Class } from '../../protocol/project.ts'
import type { Inspection } from '../../protocol/start.ts'
import type { Table } from '../../sources/table.ts'
import { keyed, mostClasses } from '../../text/class-keys.ts'
import { contentOf, displayOf, type PointDisplay } from './point-view.ts'

/** What is understood of a file. Nothing is drawn or written. */
export async function inspect(path: string, wishes: Wishes, signal: AbortSignal): Promise<Inspection> {
  const found = await stat(path).catch(() => undefined)
  requireInput(found?.isFile() ?? false, `${path}: must be a file, got nothing there`, 'Check the spelling of the path.')
  const file = await openFile(path, wishes, [], { signal })
  try {
    const { table, roles } = file
    const display = await displayOf(file, wishes.ignore)
    const answers = roles.find((role) => role.column.name === wishes.label) ?? roles.find((role) => looksLikeAnswers(role))
    return {
      path,
      bytes: found!.size,
      rows: table.rows,
      columns: roles.map((role) => ({
        name: role.column.name,
        role: role.role === 'score' ? 'ignored' : role.role, // the page begins projects that learn
        reason: role.reason,
        isShown: role.isShown,
        looksLikeAnswers: looksLikeAnswers(role),
        examples: role.column.examples.slice(0, 5).map((example) => example.slice(0, 200)),
      })),
      view: display.view,
      samples: display.view.kind === 'bitmap' ? await samplesOf(table, display) : [],
      classes: answers ? await classesIn(table, answers) : [],
      question: questionFor(roles, display.view.kind),
      project: projectNameFor(path),
    }
  } finally {
    await file.table.close()
  }
}

/** A column of few values whose name says what it is for; it would give itself away if it were learned from. */
function looksLikeAnswers({ column: { name, distinct }, role }: ColumnRole): boolean {
  const isNamedSo = /^(?:label|labels|class|classes|target|y|truth|answer|answers|category|digit)$/i.test(name)
  return role === 'label' || (isNamedSo && distinct >= 2 && distinct <= mostClasses)
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
  if (column.distinct > mostClasses) return []
  const values = [...new Set(await table.strings(column.name))].filter((value): value is string => value !== null && value !== '')
  const areNumbers = values.every((value) => Number.isFinite(Number(value)))
  return keyed(values.sort((a, b) => (areNumbers ? Number(a) - Number(b) : 0) || (a < b ? -1 : 1)).slice(0, mostClasses))
}

function questionFor(roles: Roles, kind: string): string {
  if (kind === 'image' || kind === 'bitmap') return 'What is this?'
  return roles.some(({ role, isShown }) => role === 'text' && isShown) ? 'What is this about?' : 'Which class is this?'
}

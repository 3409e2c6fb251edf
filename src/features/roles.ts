import { requireInput } from '../core/errors.ts'
import { didYouMean } from '../core/nearest-name.ts'
import type { TableColumn } from '../core/rows.ts'
import { guessRole, isNamedId, type Role, type Verdict } from './guess-role.ts'

export type { Role } from './guess-role.ts'

export interface ColumnRole {
  readonly column: TableColumn
  readonly role: Role
  /** Why, in a few words for people. */
  readonly reason: string
  /** Whether people see it when they label a point. */
  readonly isShown: boolean
}

/** Every column of a table and what it is for, in the order of the table. */
export type Roles = readonly ColumnRole[]

/** What columns are wanted for. Those not named are guessed. */
export interface Wishes {
  readonly id?: string | undefined
  readonly label?: string | undefined
  /** Labels that are there already. Not learned from as a feature: they would give themselves away. */
  readonly given?: string | undefined
  /** Probabilities by a model that is not learned here. Then nothing is learned from the others, and these are never shown. */
  readonly scores?: readonly string[] | undefined
  /** The model is fitted by a program or service, from the file as it is: nothing is learned from the columns here. */
  readonly elsewhere?: boolean | undefined
  /** Learn from these, whatever suits each, and from no others but those named under a role. */
  readonly features?: readonly string[] | undefined
  readonly text?: readonly string[] | undefined
  readonly category?: readonly string[] | undefined
  readonly number?: readonly string[] | undefined
  readonly vector?: readonly string[] | undefined
  /** Make vectors of these by a model: texts or images. They are learned from in their place. */
  readonly embed?: readonly string[] | undefined
  /** The model: a folder, or a name on the Hugging Face Hub. */
  readonly embedModel?: string | undefined
  /** Show these. One that has no other role is not learned from. */
  readonly show?: readonly string[] | undefined
  readonly ignore?: readonly string[] | undefined
}

/** The column of the vectors that a model makes of another. */
export const embeddedName = (column: string): string => `${column} embedded`

/** As much of a table as roles are found by. */
export interface TableFacts {
  readonly columns: readonly TableColumn[]
  readonly rows: number
}

/** Decides what every column is for; a wish wins over any guess. */
export function rolesOf(table: TableFacts, wishes: Wishes = {}): Roles {
  const chosen = chosenRoles(table.columns, wishes)
  const shown = wishes.show && new Set(wishes.show)
  const id = idByName(table, wishes, chosen)
  const roles = table.columns.map((column): ColumnRole => {
    const verdict = chosen.get(column.name) ?? (column.name === id ? namesPoints : byDefault(column, table.rows, wishes))
    const isShown = shown ? shown.has(column.name) : verdict.role === 'text' || verdict.role === 'show'
    return { column, ...verdict, isShown }
  })
  if (wishes.scores) return roles.map((role) => unlearned(role, `the scores are in ${few(wishes.scores!)}`))
  if (wishes.elsewhere) return roles.map((role) => (isTaken(role, chosen) ? role : forElsewhere(role)))
  requireFeatures(roles)
  return roles
}

/** The same column where nothing is learned. */
function unlearned(role: ColumnRole, reason: string): ColumnRole {
  if (!isLearned(role)) return role
  return { ...role, role: role.isShown ? 'show' : 'ignored', reason }
}

const isTaken = ({ column, role }: ColumnRole, chosen: ReadonlyMap<string, Verdict>) => chosen.has(column.name) || role === 'id'

/** A column that is for a program or service that fits the model. */
const forElsewhere = (role: ColumnRole): ColumnRole => ({ ...role, role: role.isShown ? 'show' : 'ignored', reason: elsewhere })
const elsewhere = 'for whoever fits the model'

/** Columns that a model which is fitted elsewhere may learn from. */
export const handedOn = (roles: Roles): Roles => roles.filter(({ reason }) => reason === elsewhere)

/** Columns to show with a question: those that are shown, or else all but what would give an answer away. */
export function shownColumns(roles: Roles): TableColumn[] {
  const shown = roles.filter(({ isShown }) => isShown)
  const all = roles.filter(({ role }) => role !== 'label' && role !== 'score')
  return (shown.length > 0 ? shown : all).map(({ column }) => column)
}

const namesPoints: Verdict = { role: 'id', reason: 'names the points' }

/** Columns a model learns from. */
export function isLearned({ role }: ColumnRole): boolean {
  return role === 'number' || role === 'category' || role === 'text' || role === 'vector'
}

function byDefault(column: TableColumn, rows: number, { features, show, embed = [], embedModel }: Wishes): Verdict {
  if (embed.includes(column.name)) return { role: 'show', reason: 'learned from by its vectors' }
  if (column.kind === 'vector' && embed.some((name) => column.name === embeddedName(name)))
    return { role: 'vector', reason: `${column.width} numbers by ${embedModel}` }
  const isAsked = features?.includes(column.name) ?? false
  if (!isAsked && show?.includes(column.name)) return { role: 'show', reason: 'chosen with --show' }
  if (features && !isAsked) return { role: 'ignored', reason: 'not among --features' }
  return guessRole(column, rows, isAsked)
}

/** The roles that were asked for by name. */
function chosenRoles(columns: readonly TableColumn[], wishes: Wishes): Map<string, Verdict> {
  const byName = new Map(columns.map((column) => [column.name, column]))
  const chosen = new Map<string, Verdict>()
  for (const option of exclusive) {
    const role = option === 'ignore' || option === 'given' ? 'ignored' : option === 'scores' ? 'score' : option
    for (const name of namesOf(wishes[option])) {
      const column = requireColumn(byName, option, name)
      requireOneRole(!chosen.has(name), option, name, chosen)
      requireKind(column, role)
      chosen.set(name, { role, reason: `chosen with ${spelling(option)}` })
    }
  }
  for (const option of ['features', 'show'] as const)
    for (const name of namesOf(wishes[option])) {
      requireColumn(byName, option, name)
      const role = chosen.get(name)?.role
      const isLearnedOrNone = role !== 'id' && role !== 'label' // a label learned from would give itself away
      const isFree = role !== 'ignored' && role !== 'score'
      requireOneRole(isFree && (option === 'show' || isLearnedOrNone), option, name, chosen)
    }
  return chosen
}

const exclusive = ['id', 'label', 'given', 'scores', 'text', 'category', 'number', 'vector', 'ignore'] as const

function namesOf(wish: string | readonly string[] | undefined): Set<string> {
  return new Set(typeof wish === 'string' ? [wish] : wish)
}

/** A wish as the command spells it. */
const spelling = (wish: string): string => `--${wish === 'scores' ? 'scores-column' : wish}`

function requireOneRole(holds: boolean, option: string, name: string, chosen: ReadonlyMap<string, Verdict>): void {
  const message = `${spelling(option)}: a column can have one role, got ${JSON.stringify(name)}, ${chosen.get(name)?.reason}`
  requireInput(holds, message, 'Name it under one option only.')
}

function requireColumn(columns: ReadonlyMap<string, TableColumn>, option: string, name: string): TableColumn {
  const column = columns.get(name)
  requireInput(
    column !== undefined,
    `${spelling(option)}: must be a column of the table, got ${JSON.stringify(name)}`,
    didYouMean(name, [...columns.keys()]) ?? `The columns are ${few([...columns.keys()])}.`,
  )
  return column
}

function requireKind({ name, kind, examples }: TableColumn, role: Role): void {
  const telling = role === 'number' || role === 'score' ? examples.find((text) => Number.isNaN(Number(text))) : examples[0]
  const example = telling === undefined ? '' : ` such as ${JSON.stringify(shortened(telling))}`
  const got = kind === 'vector' ? 'lists of numbers' : kind === 'number' ? 'numbers' : 'texts'
  if (role === 'score') requireInput(kind === 'number', `--scores-column: ${name} must hold probabilities, got ${got}${example}`)
  if (role === 'number' || role === 'vector') {
    const needed = role === 'number' ? 'numbers' : 'lists of as many numbers each'
    requireInput(kind === role, `--${role}: ${name} must hold ${needed}, got ${got}${example}`, `Leave it out of --${role}.`)
  }
  if (role === 'text' || role === 'category')
    requireInput(
      kind !== 'vector',
      `--${role}: ${name} must hold texts or numbers, got ${got}${example}`,
      'Name it with --vector.',
    )
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}

/** The column called id that names the points, unless it was given something else to do. */
function idByName({ columns }: TableFacts, { id, features, show }: Wishes, chosen: ReadonlyMap<string, Verdict>) {
  if (id !== undefined) return undefined
  const isFree = ({ name }: TableColumn) => !chosen.has(name) && !features?.includes(name) && !show?.includes(name)
  return columns.find((column) => isNamedId(column) && isFree(column))?.name
}

function requireFeatures(roles: Roles): void {
  const found = few(roles.map(({ column, reason }) => `${column.name} (${reason})`))
  requireInput(
    roles.some(isLearned),
    `features: at least one column to learn from is required, got ${found || 'no columns'}`,
    'Choose with --features, --text, --category or --vector.',
  )
}

/** A list that fits a message. */
function few(items: readonly string[], most = 12): string {
  const rest = items.length - most
  return [...items.slice(0, most), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ')
}

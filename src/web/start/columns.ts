import type { View } from '../../protocol/points.ts'
import type { Inspection, PredictionRole, Role, Wishes } from '../../protocol/start.ts'

export type InspectedColumn = Inspection['columns'][number]

/** Columns that are shown, and change their role, together. */
export interface ColumnGroup {
  readonly title: string
  readonly columns: readonly InspectedColumn[]
  readonly isPicture: boolean
}

/** From so many on, columns numbered one after the other are one row: 300 of the same are too many to read. */
const fewest = 8

/** The cells of a picture are one group; so are many numbered columns of one kind. */
export function groupColumns(columns: readonly InspectedColumn[], view: View): ColumnGroup[] {
  const cells = view.kind === 'bitmap' ? view.width * view.height : 0
  return runs(columns, isNext).flatMap((run) => {
    if (run.length === cells) return [groupOf(run, true)]
    return runs(run, isAlike).flatMap((alike) =>
      alike.length >= fewest ? [groupOf(alike)] : alike.map((column) => groupOf([column])),
    )
  })
}

function groupOf(columns: readonly InspectedColumn[], isPicture = false): ColumnGroup {
  const [first, last] = [columns[0]!.name, columns.at(-1)!.name]
  return { title: columns.length === 1 ? first : `${first} to ${last}`, columns, isPicture }
}

/** p07 after p06, pixel10 after pixel9. */
function isNext(a: InspectedColumn, b: InspectedColumn): boolean {
  const [before, after] = [numbered.exec(a.name), numbered.exec(b.name)]
  return before !== null && after !== null && before[1] === after[1] && Number(before[2]) + 1 === Number(after[2])
}

const numbered = /^(.*?)(\d+)$/

function isAlike(a: InspectedColumn, b: InspectedColumn): boolean {
  return a.role === b.role && a.isShown === b.isShown && a.looksLikeAnswers === b.looksLikeAnswers && a.reason === b.reason
}

/** Splits a list wherever neighbours do not belong together. */
function runs<T>(items: readonly T[], belong: (a: T, b: T) => boolean): T[][] {
  const all: T[][] = []
  for (const item of items) {
    const run = all.at(-1)
    if (run && belong(run.at(-1)!, item)) run.push(item)
    else all.push([item])
  }
  return all
}

/** The role most of a group's columns have: a cell that is the same in every picture is left out, and says little of the rest. */
export function roleOf({ columns }: ColumnGroup): Role {
  const alike = [...Map.groupBy(columns, ({ role }) => role).values()]
  return alike.reduce((most, next) => (next.length > most.length ? next : most))[0]!.role
}

/** Why, where the role alone does not say it and the person did not choose it. */
export function reasonOf({ columns, isPicture }: ColumnGroup): string | undefined {
  if (isPicture) {
    const out = columns.filter(({ role }) => role === 'ignored').length
    return out > 0 && out < columns.length ? `${out} cells are the same in every picture, and left out` : undefined
  }
  const { role, reason } = columns[0]!
  return told.includes(role) && !reason?.startsWith('chosen with') ? reason : undefined
}

/** Roles whose reasons say more than the role: "constant: says nothing", "4 different values". */
const told: readonly Role[] = ['ignored', 'category', 'vector']

/** As much of an inspection as changes are made from. */
export type Understanding = Pick<Inspection, 'columns' | 'view'>

/** What people get to see of a point by name: what was chosen, or, in a plain row, everything that was not left out by hand. */
export function seenIn({ columns, view }: Understanding): string[] {
  const chosen = columns.filter(({ isShown }) => isShown)
  const seen =
    chosen.length > 0 || view.kind !== 'row' ? chosen : columns.filter(({ reason }) => reason !== 'chosen with --ignore')
  return seen.map(({ name }) => name)
}

/**
 * What is changed without being asked: a column that looks like answers, or holds predictions, would give them away if it were learned from;
 * names and addresses are private.
 */
export function choicesAtFirst({ columns, recognised }: Pick<Inspection, 'columns' | 'recognised'>): Choices {
  const tells = (name: string) => recognised.isSure && telling.includes(recognised.roles[name] ?? 'read')
  const out = columns.filter(
    ({ name, looksLikeAnswers, isPersonal, role }) =>
      (looksLikeAnswers || isPersonal || tells(name)) && role !== 'ignored' && role !== 'label',
  )
  return { roles: Object.fromEntries(out.map(({ name }) => [name, 'ignored'])) }
}

const telling: readonly PredictionRole[] = ['check', 'confidence', 'probability', 'compare']

/** What a person changed of the columns: roles by name, and, once touched, all that is shown. */
export interface Choices {
  readonly roles: Readonly<Record<string, Role>>
  readonly shown?: readonly string[]
}

/** The same choices with another role for some columns. There is one id, and one column of answers. */
export function chooseRole(choices: Choices, now: Understanding, names: readonly string[], role: Role): Choices {
  const isSingle = role === 'id' || role === 'label'
  const kept = Object.entries(choices.roles).filter(([name, other]) => !names.includes(name) && !(isSingle && other === role))
  const roles = Object.fromEntries([...kept, ...names.map((name) => [name, role] as const)])
  const shown = role === 'show' ? shownNow(choices, now).concat(names) : choices.shown
  if (!shown) return { roles }
  return { roles, shown: role === 'ignored' ? shown.filter((name) => !names.includes(name)) : [...new Set(shown)] }
}

/** The same choices with some columns shown to people, or not. */
export function chooseShown(choices: Choices, now: Understanding, names: readonly string[], isShown: boolean): Choices {
  const others = shownNow(choices, now).filter((name) => !names.includes(name))
  // A column left out, or only shown, gets what its new place brings; any other keeps its role.
  const roles = Object.fromEntries(
    Object.entries(choices.roles).filter(([name, role]) => !names.includes(name) || (role !== 'ignored' && role !== 'show')),
  )
  return { roles, shown: isShown ? [...others, ...names] : others }
}

function shownNow({ shown }: Choices, now: Understanding): string[] {
  return [...(shown ?? seenIn(now))]
}

/** As the server takes them. What is shown keeps the role it had: by itself a wish to show says "do not learn from it". */
export function wishesOf(choices: Choices, { columns }: Understanding): Wishes {
  const { shown } = choices
  const roles = { ...rolesOfShown(choices, columns), ...choices.roles }
  const named = (wanted: Role) => Object.keys(roles).filter((name) => roles[name] === wanted)
  const [[id], [label]] = [named('id'), named('label')]
  const lists = { text: named('text'), category: named('category'), number: named('number'), vector: named('vector') }
  return {
    ...(id !== undefined && { id }),
    ...(label !== undefined && { label }),
    ...filled({ ...lists, ignore: named('ignored'), show: shown ? [...shown] : [] }),
  }
}

function rolesOfShown({ roles, shown = [] }: Choices, columns: readonly InspectedColumn[]): Record<string, Role> {
  const isGivenAway = (role: Role) => (role === 'id' || role === 'label') && Object.values(roles).includes(role)
  const kept = columns.filter(
    ({ name, role }) => shown.includes(name) && role !== 'ignored' && role !== 'show' && !isGivenAway(role),
  )
  return Object.fromEntries(kept.map(({ name, role }) => [name, role]))
}

function filled(lists: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(lists).filter(([, names]) => names.length > 0))
}

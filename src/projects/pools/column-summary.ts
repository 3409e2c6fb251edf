import { handedOn, isLearned, type Roles } from '../../features/roles.ts'
import { count } from '../../text/wording.ts'

/** What was understood of the columns, in a few lines. */
export function columnsSay(roles: Roles): string[] {
  const kinds = ['id', 'label', 'score', 'number', 'category', 'text', 'vector', 'show'] as const
  const forOthers = new Set(handedOn(roles))
  const named = (role: string) => roles.filter((each) => each.role === role).map(({ column }) => column.name)
  const lines = kinds.flatMap((role) => (named(role).length > 0 ? [`  ${role.padEnd(9)} ${few(named(role))}`] : []))
  const handed = [...forOthers].map(({ column }) => column.name)
  const ignored = roles
    .filter((each) => each.role === 'ignored' && !forOthers.has(each))
    .map(({ column, reason }) => `${column.name} (${reason})`)
  const others = handed.length > 0 ? [`  ${'handed on'.padEnd(9)} ${few(handed)}`] : []
  return [...lines, ...others, ...(ignored.length > 0 ? [`  ${'ignored'.padEnd(9)} ${few(ignored)}`] : [])]
}

function few(items: readonly string[], most = 8): string {
  const rest = items.length - most
  return [...items.slice(0, most), ...(rest > 0 ? [`and ${count(rest)} more`] : [])].join(', ')
}

/** A warning where a column that is learned from has just the classes for its values: it would give the answers away. */
export function answersAmong(roles: Roles, classes: readonly string[]): string[] {
  const suspects = roles.filter(isLearned).filter(({ column: { name, distinct, examples } }) => {
    const isOneOfMany = /\d$/.test(name) // p00 to p63: each is a feature
    return (
      !isOneOfMany && distinct === classes.length && examples.length > 0 && examples.every((example) => classes.includes(example))
    )
  })
  return suspects.map(
    ({ column: { name } }) => `  ${name} has the classes for its values, and is learned from. --ignore ${name} leaves it out.`,
  )
}

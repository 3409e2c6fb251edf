import type { Role } from '../../protocol/start.ts'
import { type Choices, type ColumnGroup, chooseRole, chooseShown, roleOf, seenIn, type Understanding } from './columns.ts'

/** What people say a column is for; roles and what is shown follow. */
export type Use = 'read' | 'show' | 'learn' | 'id' | 'label' | 'ignored'

export const useWords: Readonly<Record<Use, string>> = {
  read: 'Read',
  show: 'Show only',
  learn: 'Learn from',
  id: 'Id',
  label: 'Answers aside',
  ignored: 'Left out',
}

const plain: readonly string[] = ['id', 'label', 'ignored']

/** Those a group of columns can have: many together are neither the id nor the answers. */
export function usesFor({ columns, isPicture }: ColumnGroup): readonly Use[] {
  if (isPicture) return ['learn', 'ignored']
  return columns.length > 1 ? ['read', 'learn', 'show', 'ignored'] : (Object.keys(useWords) as Use[])
}

export function useOf(group: ColumnGroup, choices: Choices, now: Understanding): Use {
  const role = choices.roles[group.columns[0]!.name] ?? roleOf(group)
  if (plain.includes(role)) return role as Use
  if (group.isPicture) return 'learn'
  const seen = choices.shown ?? seenIn(now)
  const isSeen = group.columns.every(({ name }) => seen.includes(name))
  if (role === 'show') return 'show'
  return isSeen ? 'read' : 'learn'
}

/** The choices with another use for a group of columns. */
export function chooseUse(choices: Choices, now: Understanding, group: ColumnGroup, use: Use): Choices {
  const names = group.columns.map(({ name }) => name)
  if (use === 'show' || use === 'id' || use === 'label' || use === 'ignored') return chooseRole(choices, now, names, use)
  const free = { ...choices, roles: Object.fromEntries(Object.entries(choices.roles).filter(([name]) => !names.includes(name))) }
  const learned = roleOf(group)
  const isLearned = learned !== 'ignored' && learned !== 'show' && learned !== 'id' && learned !== 'label'
  const asked = isLearned ? free : chooseRole(free, now, names, roleFor(group))
  if (group.isPicture) return asked
  const shown = chooseShown(asked, now, names, use === 'read')
  return { ...shown, roles: { ...shown.roles, ...asked.roles } }
}

/** How to learn from columns that would not be learned from by themselves. */
function roleFor({ columns }: ColumnGroup): Role {
  const [{ examples, values }] = columns as [ColumnGroup['columns'][number]]
  if (examples.every((text) => text.trim() !== '' && Number.isFinite(Number(text)))) return 'number'
  return values.length > 0 ? 'category' : 'text'
}

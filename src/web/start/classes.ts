import { type KeyedClass, mostClasses, offeredKeys } from '../../text/class-keys.ts'

/** The key a class gets by itself: its own name where that is one key, or else the first one free; none once all are taken. */
export function freeKey(name: string, taken: readonly string[]): string {
  const own = name.toLowerCase()
  if (offeredKeys.includes(own) && !taken.includes(own)) return own
  return offeredKeys.find((key) => !taken.includes(key)) ?? ''
}

export function addClass(classes: readonly KeyedClass[], name: string): KeyedClass[] {
  const taken = classes.map(({ key }) => key)
  return [...classes, { name, key: freeKey(name, taken) }]
}

const separators = /[,;\t\r\n]+/

/** Whether a text is more than one name: "billing, delivery", lines, cells of a spreadsheet. */
export const isSeveral = (text: string): boolean => separators.test(text)

/** The names that stand in a text, one class each after those that are there; and those that are there already. */
export function enterNames(classes: readonly KeyedClass[], text: string): { classes: KeyedClass[]; known: string[] } {
  const names = [...new Set(text.split(separators).map((name) => name.trim()))].filter((name) => name !== '')
  const there = new Map(classes.map(({ name }) => [name.toLowerCase(), name]))
  const known = names.flatMap((name) => there.get(name.toLowerCase()) ?? [])
  const fresh = names.filter((name) => !there.has(name.toLowerCase()))
  return { classes: fresh.reduce(addClass, [...classes]), known }
}

/** What is wrong with the classes, as one sentence for people; the first thing only. */
export function problemOfClasses(classes: readonly KeyedClass[]): string | undefined {
  if (classes.length < 2) return 'Name at least two.'
  if (classes.length > mostClasses) return `At most ${mostClasses} answers are possible, got ${classes.length}. Remove some.`
  return problemOfNames(classes.map(({ name }) => name.trim()))
}

function problemOfNames(names: readonly string[]): string | undefined {
  if (names.includes('')) return 'An answer has no name.'
  const name = repeated(names)
  return name === undefined ? undefined : `${name} is there twice.`
}

function repeated(texts: readonly string[]): string | undefined {
  return texts.find((text, i) => texts.indexOf(text) !== i)
}

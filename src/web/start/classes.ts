import { type KeyedClass, mostClasses, offeredKeys } from '../../text/class-keys.ts'

/** The key a class gets by itself: its own name where that is one key, or else the first one free. */
export function freeKey(name: string, taken: readonly string[]): string {
  const own = name.toLowerCase()
  if (offeredKeys.includes(own) && !taken.includes(own)) return own
  return offeredKeys.find((key) => !taken.includes(key))!
}

export function addClass(classes: readonly KeyedClass[], name: string): KeyedClass[] {
  const taken = classes.map(({ key }) => key)
  return [...classes, { name, key: freeKey(name, taken) }]
}

/** With another name. A key that was given by itself follows the name: a class called b is answered with b. */
export function renameClass(classes: readonly KeyedClass[], at: number, name: string): KeyedClass[] {
  const taken = classes.filter((_, i) => i !== at).map((one) => one.key)
  return classes.map((one, i) => {
    if (i !== at) return one
    const isAutomatic = one.key === freeKey(one.name, taken)
    return { name, key: isAutomatic ? freeKey(name, taken) : one.key }
  })
}

const separators = /[,;\t\r\n]+/

/** Whether a text is more than one name: "billing, delivery", lines, cells of a spreadsheet. */
export const isSeveral = (text: string): boolean => separators.test(text)

/** The names that stand in a text, one class each, in place of the one at `at`. Those that are there already are not added again. */
export function enterNames(classes: readonly KeyedClass[], at: number, text: string): KeyedClass[] {
  const others = new Set(classes.flatMap(({ name }, i) => (i === at ? [] : [name.trim()])))
  const names = [...new Set(text.split(separators).map((name) => name.trim()))].filter((name) => name !== '' && !others.has(name))
  const before = classes.slice(0, at)
  const own = classes[at] && names.length > 0 ? renameClass(classes, at, names[0]!).slice(at, at + 1) : []
  return names.slice(1).reduce(addClass, [...before, ...own, ...classes.slice(at + 1)])
}

/** What is wrong with the classes, as one sentence for people; the first thing only. */
export function problemOfClasses(classes: readonly KeyedClass[]): string | undefined {
  if (classes.length === 0) return 'No class has a name yet. Name at least two.'
  if (classes.length === 1) return 'This file has one class only. Name at least two.'
  if (classes.length > mostClasses) return `At most ${mostClasses} classes are possible, got ${classes.length}. Remove some.`
  return problemOfNames(classes.map(({ name }) => name.trim())) ?? problemOfKeys(classes)
}

function problemOfNames(names: readonly string[]): string | undefined {
  if (names.includes('')) return 'A class has no name. Name it, or remove it.'
  const name = repeated(names)
  return name === undefined ? undefined : `Two classes are called ${name}. Give one of them another name.`
}

function problemOfKeys(classes: readonly KeyedClass[]): string | undefined {
  const keyless = classes.find(({ key }) => key === '')
  if (keyless) return `${keyless.name} has no key. Give it one.`
  const key = repeated(classes.map((one) => one.key))
  if (key !== undefined) return `Two classes share the key ${key}. Give one of them another.`
  const odd = classes.find((one) => !offeredKeys.includes(one.key))
  return odd && `The key ${odd.key} means something else while labelling. Give ${odd.name} a digit or another letter.`
}

function repeated(texts: readonly string[]): string | undefined {
  return texts.find((text, i) => texts.indexOf(text) !== i)
}

/** "Each has one key" and, where it is so, how easy the keys are to remember. */
export function sentenceAboutKeys(classes: readonly KeyedClass[]): string {
  const areOwn = classes.length > 0 && classes.every(({ name, key }) => name === key)
  if (!areOwn) return 'Each has one key.'
  const areDigits = classes.every(({ key }) => /\d/.test(key))
  return areDigits ? 'Each has one key; here the key is the digit.' : 'Each has one key; here the key is its name.'
}

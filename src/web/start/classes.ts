import type { Class } from '../../protocol/project.ts'
import { keymap } from '../keys/keymap.ts'

/** A class as it is being typed: name and key may still be empty. */
export type ClassDraft = Class

export const mostClasses = 36

const reserved = new Set<string>(Object.values(keymap).flatMap(({ keys }) => keys))

/** Keys offered to classes, in this order: more than there can be classes. */
const letters = [...'abcdefghijklmnopqrstuvwxyz'].filter((letter) => !reserved.has(letter))
const offered = [...'1234567890', ...letters, ...letters.map((letter) => letter.toUpperCase())]

/** The key a class gets by itself: its own name where that is one key, or else the first one free. */
export function freeKey(name: string, taken: readonly string[]): string {
  const own = name.toLowerCase()
  if (offered.includes(own) && !taken.includes(own)) return own
  return offered.find((key) => !taken.includes(key))!
}

/** The keys classes get all at once: digits are their own, the others take what is free. */
export function keysFor(names: readonly string[]): string[] {
  const isOwn = (name: string) => /^\d$/.test(name)
  const free = offered.filter((key) => !(isOwn(key) && names.includes(key)))
  return names.map((name) => (isOwn(name) ? name : free.shift()!))
}

export function addClass(classes: readonly ClassDraft[], name: string): ClassDraft[] {
  const key = freeKey(
    name,
    classes.map((one) => one.key),
  )
  return [...classes, { name, key }]
}

/** With another name. A key nobody chose follows the name: a class called b is answered with b. */
export function renameClass(classes: readonly ClassDraft[], at: number, name: string): ClassDraft[] {
  const taken = classes.filter((_, i) => i !== at).map((one) => one.key)
  return classes.map((one, i) => {
    if (i !== at) return one
    const isAutomatic = one.key === freeKey(one.name, taken)
    return { name, key: isAutomatic ? freeKey(name, taken) : one.key }
  })
}

/** What is wrong with the classes, as one sentence for people; the first thing only. */
export function problemOfClasses(classes: readonly ClassDraft[]): string | undefined {
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

function problemOfKeys(classes: readonly ClassDraft[]): string | undefined {
  const keyless = classes.find(({ key }) => key === '')
  if (keyless) return `${keyless.name} has no key. Give it one.`
  const key = repeated(classes.map((one) => one.key))
  if (key !== undefined) return `Two classes share the key ${key}. Give one of them another.`
  const odd = classes.find((one) => !offered.includes(one.key))
  return odd && `The key ${odd.key} means something else while labelling. Give ${odd.name} a digit or another letter.`
}

function repeated(texts: readonly string[]): string | undefined {
  return texts.find((text, i) => texts.indexOf(text) !== i)
}

/** "Each has one key" and, where it is so, how easy the keys are to remember. */
export function sentenceAboutKeys(classes: readonly ClassDraft[]): string {
  const areOwn = classes.length > 0 && classes.every(({ name, key }) => name === key)
  if (!areOwn) return 'Each has one key.'
  const areDigits = classes.every(({ key }) => /\d/.test(key))
  return areDigits ? 'Each has one key; here the key is the digit.' : 'Each has one key; here the key is its name.'
}

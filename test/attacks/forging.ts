import { uniform } from '../../src/core/randomness.ts'

type Step = string | number
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Every value of a document that is no list and no object, by its path. */
export function leavesOf(value: Json, path: readonly Step[] = []): readonly (readonly Step[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...path, Array.isArray(value) ? Number(key) : key]))
}

export const valueAt = (value: Json, path: readonly Step[]): Json =>
  path.reduce<Json>((at, step) => (at as Record<Step, Json>)[step]!, value)

export function setAt(value: Json, path: readonly Step[], to: Json): void {
  const parent = valueAt(value, path.slice(0, -1)) as Record<Step, Json>
  parent[path.at(-1)!] = to
}

/** Numbers that are random and the same for equal seeds. */
export function chances(seed: number, name: string) {
  let k = 0
  const next = () => uniform(seed, name, `${k++}`)
  return {
    next,
    below: (n: number) => Math.min(n - 1, Math.floor(n * next())),
    pick: <T>(items: readonly T[]): T => items[Math.min(items.length - 1, Math.floor(items.length * next()))]!,
  }
}

export type Chances = ReturnType<typeof chances>

/** Another value of the same kind. */
export function other(value: Json, { next, below }: Chances): Json {
  if (value === null) return next() < 0.5 ? 0 : 'x'
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return otherText(value, below)
  if (typeof value !== 'number') return null
  if (!Number.isInteger(value)) return value * (next() < 0.5 ? 1 + 0.2 * next() + 1e-6 : 1 - 0.2 * next() - 1e-6)
  return value + (next() < 0.5 || value === 0 ? 1 : -1)
}

function otherText(text: string, below: (n: number) => number): string {
  if (text === '') return 'x'
  const at = below(text.length)
  const sign = text[at] === '0' ? '1' : '0'
  return text.slice(0, at) + sign + text.slice(at + 1)
}

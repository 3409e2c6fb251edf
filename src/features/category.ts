import { requireInput } from '../core/errors.ts'
import { mixed } from './grams.ts'
import type { CategoryPart } from './recipe.ts'

/** Values with a feature of their own: as many as a table counts exactly. */
export const ownFeatures = 1000
/** Features shared by the values beyond these. */
const sharedFeatures = 1024

/** A missing value: no text at all, or an empty one. */
const missing = -1

/** Tells the values of a column apart while it is read. */
export function categoryLearner(column: string) {
  const codes = new Map<string, number>()
  return {
    /** A number for the value, the same for the same value. */
    code(value: string | null): number {
      if (isMissing(value)) return missing
      let code = codes.get(value)
      if (code === undefined) {
        code = codes.size
        requireInput(code < 2 ** 24, `${column}: a category can have 16,777,216 different values, got more`) // what a float holds
        codes.set(value, code)
      }
      return code
    },
    /** Rewrites the codes of all rows (values[i · stride + at]) as features of the part learned from them. */
    learnInPlace(values: Float32Array, rows: number, stride: number, at: number): CategoryPart {
      const counts = new Uint32Array(codes.size)
      const ends = rows * stride
      for (let k = at; k < ends; k += stride) if (values[k]! >= 0) counts[values[k]!]!++
      const part = partOf(column, codes, counts)
      const featureOf = categoryFeatures(part)
      const features = Float32Array.from(codes.keys(), featureOf) // in the order of the codes
      for (let k = at; k < ends; k += stride) values[k] = values[k]! >= 0 ? features[values[k]!]! : featureOf(null)
      return part
    },
  }
}

/** The most frequent values get a feature each, in alphabetical order; the order of the rows has no say. */
function partOf(column: string, codes: ReadonlyMap<string, number>, counts: Uint32Array): CategoryPart {
  const alphabetical = [...codes.keys()].sort()
  const isFew = alphabetical.length <= ownFeatures
  const values = isFew ? alphabetical : mostFrequent(alphabetical, (value) => counts[codes.get(value)!]!)
  return { kind: 'category', column, values, rest: isFew ? 1 : sharedFeatures }
}

function mostFrequent(values: readonly string[], count: (value: string) => number): string[] {
  const ranked = values.map((value) => ({ value, count: count(value) })).sort((a, b) => b.count - a.count) // stable: ties by name
  return ranked
    .slice(0, ownFeatures)
    .map(({ value }) => value)
    .sort()
}

/** Which feature of the part a value has. */
export function categoryFeatures({ values, rest }: CategoryPart): (value: string | null) => number {
  const own = new Map(values.map((value, feature) => [value, feature]))
  return (value) => {
    if (isMissing(value)) return values.length + rest
    return own.get(value) ?? values.length + ((mixed(hashOf(value)) >>> 0) % rest)
  }
}

function isMissing(value: string | null): value is null {
  return value === null || value === ''
}

/** FNV-1a by UTF-16 units. */
function hashOf(value: string): number {
  let hash = 0x811c9dc5 | 0
  for (let i = 0; i < value.length; i++) hash = Math.imul(hash ^ value.charCodeAt(i), 0x01000193)
  return hash
}

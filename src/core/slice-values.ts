/** Values of a column that have a slice of their own, at most. */
export const mostSliceValues = 50

/** A value of a column, null for an empty cell, and how many points have it. */
export type ValueCount = readonly [value: string | null, points: number]

/** What slices a column makes. */
export interface SliceValues {
  /** Names of the slices; a last one may stand for all values that have none of their own. */
  readonly names: readonly string[]
  /** The values behind them, null for empty cells; without the last one where it stands for all others. */
  readonly values: readonly (string | null)[]
  /** The place of a value among the slices. */
  placeOf(value: string | null): number
}

/** Every value by itself, the most frequent first and then by name; beyond fifty, the rest together as "others". */
export function sliceValues(counts: Iterable<ValueCount>): SliceValues {
  const ranked = [...counts].sort(([a, m], [b, n]) => n - m || inCodePointOrder(a ?? '', b ?? ''))
  const values = ranked.slice(0, mostSliceValues).map(([value]) => value)
  const names: string[] = []
  for (const value of values) names.push(value ?? nameApart('(empty)', values))
  if (ranked.length > values.length) names.push(nameApart('others', names))
  const places = new Map(values.map((value, k) => [value, k]))
  return { names, values, placeOf: (value) => places.get(value) ?? names.length - 1 }
}

/** A name, in parentheses as long as there is one like it. */
function nameApart(name: string, others: readonly (string | null)[]): string {
  return others.includes(name) ? nameApart(`(${name})`, others) : name
}

/** As databases compare texts: where the first characters differ that are not the same. */
function inCodePointOrder(a: string, b: string): number {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a.codePointAt(i)! - b.codePointAt(i)!
  return a.length - b.length
}

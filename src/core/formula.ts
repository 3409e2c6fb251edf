/**
 * Arithmetic as data: what an engine that speaks another language (SQL) prints in place of calling a function. Losses, masses
 * and score transforms have one beside the function that computes the same; a formula used twice is one object, so a printer can name it.
 */
export type Formula = number | FormulaColumn | Term

/** A value the engine has for each point, by name. */
export interface FormulaColumn {
  readonly column: string
}

export interface Term {
  readonly operation: Operation
  readonly of: readonly Formula[]
  /** What `entry` looks up in. */
  readonly table?: Float64Array
}

/** What is computed of all values at once. */
const operations = {
  sum: (...values) => values.reduce((total, value) => total + value),
  difference: (a, b) => a - b,
  product: (a, b) => a * b,
  quotient: (a, b) => a / b,
  largest: Math.max,
  smallest: Math.min,
  /** The second largest of two or more. */
  second: (...values) => values.toSorted((x, y) => y - x)[1]!,
  /** Position of the largest, from 0; the first of those that tie. */
  place: (...values) => values.indexOf(Math.max(...values)),
  sqrt: Math.sqrt,
  exp: Math.exp,
  log: Math.log,
  log1p: Math.log1p,
  log2: Math.log2,
  floor: Math.floor,
  abs: Math.abs,
} satisfies Record<string, (a: number, b: number, ...more: number[]) => number>

export type Operation =
  | keyof typeof operations
  /** The third if the first is at least (above, equal to) the second, and else the fourth, which may then have no value. */
  | 'if-at-least'
  | 'if-above'
  | 'if-equal'
  /** The entry of a table, from 0. */
  | 'entry'

const term = (operation: Operation, ...of: readonly Formula[]): Formula => ({ operation, of })

export const column = (name: string): Formula => ({ column: name })
export const sum = (...of: readonly Formula[]): Formula => (of.length === 1 ? of[0]! : term('sum', ...of))
export const difference = (a: Formula, b: Formula): Formula => term('difference', a, b)
export const product = (a: Formula, b: Formula): Formula => (a === 1 ? b : a === -1 ? negative(b) : term('product', a, b))
export const quotient = (a: Formula, b: Formula): Formula => term('quotient', a, b)
export const largest = (...of: readonly Formula[]): Formula => (of.length === 1 ? of[0]! : term('largest', ...of))
export const smallest = (...of: readonly Formula[]): Formula => (of.length === 1 ? of[0]! : term('smallest', ...of))
export const second = (...of: readonly Formula[]): Formula => (of.length === 2 ? smallest(...of) : term('second', ...of))
export const place = (...of: readonly Formula[]): Formula => term('place', ...of)
export const sqrt = (x: Formula): Formula => term('sqrt', x)
export const exp = (x: Formula): Formula => term('exp', x)
export const log = (x: Formula): Formula => term('log', x)
const log1p = (x: Formula): Formula => term('log1p', x)
export const log2 = (x: Formula): Formula => term('log2', x)
export const floor = (x: Formula): Formula => term('floor', x)
const abs = (x: Formula): Formula => (isNegative(x) ? abs(x.of[1]!) : term('abs', x))
export const negative = (x: Formula): Formula => difference(0, x)
const isNegative = (x: Formula): x is Term =>
  typeof x === 'object' && 'operation' in x && x.operation === 'difference' && x.of[0] === 0
export const square = (x: Formula): Formula => product(x, x)
export const entry = (table: Float64Array, at: Formula): Formula => ({ operation: 'entry', of: [at], table })

export const ifAtLeast = (a: Formula, b: Formula, yes: Formula, no: Formula): Formula => term('if-at-least', a, b, yes, no)
export const ifAbove = (a: Formula, b: Formula, yes: Formula, no: Formula): Formula => term('if-above', a, b, yes, no)
export const ifEqual = (a: Formula, b: Formula, yes: Formula, no: Formula): Formula => term('if-equal', a, b, yes, no)

// The functions of numbers.ts, under the same names.

export const clip = (x: Formula, low: number, high: number): Formula => smallest(largest(x, low), high)
export const softplus = (x: Formula): Formula => sum(largest(x, 0), log1p(exp(negative(abs(x)))))

export function sigmoid(x: Formula): Formula {
  const e = exp(negative(abs(x)))
  return quotient(ifAtLeast(x, 0, 1, e), sum(1, e))
}

export function logSumExp(values: readonly Formula[]): Formula {
  const most = largest(...values)
  return sum(most, log(sum(...values.map((value) => exp(difference(value, most))))))
}

/** The value of a formula: what every printer must agree with. */
export function evaluate(formula: Formula, columns: Readonly<Record<string, number>>): number {
  if (typeof formula === 'number') return formula
  if ('column' in formula) return columns[formula.column]!
  const { operation, of, table } = formula
  const value = (k: number) => evaluate(of[k]!, columns)
  switch (operation) {
    case 'if-at-least':
      return value(value(0) >= value(1) ? 2 : 3)
    case 'if-above':
      return value(value(0) > value(1) ? 2 : 3)
    case 'if-equal':
      return value(value(0) === value(1) ? 2 : 3)
    case 'entry':
      return table![value(0)]!
    default:
      return operations[operation](...(of.map((_, k) => value(k)) as [number, number]))
  }
}

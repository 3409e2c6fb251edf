import type { Formula, Operation } from '../../core/formula.ts'
import * as f from '../../core/formula.ts'
import { type Stream, streamKey } from '../../core/randomness.ts'

/** How a database writes the queries of its engine. Everything that comes from people passes through `text` or `name`. */
export interface Dialect {
  /** A double, to be read back to the last bit. */
  number(value: number): string
  /** Any text, as a literal. */
  text(value: string): string
  /** A table or column, by any name. */
  name(name: string): string
  /** Operations it does not have, by others that it has. */
  readonly rewrites: Readonly<Partial<Record<Operation, (...of: readonly Formula[]) => Formula>>>
  /** Every other operation but `entry`, given its operands. */
  readonly operations: Readonly<Partial<Record<Operation, (...of: readonly string[]) => string>>>
  /** Operations and operands of a term that is written out wherever it is used, at most; longer ones are named. Default 0. */
  readonly writtenOut?: number
  /** One of two values. */
  when(condition: string, yes: string, no: string): string
  /** A double, rounded to the nearest 32-bit float. */
  float(value: string): string
  /** Where a text stands among some others, counted from 0, or a number of its own where it is none of them. */
  indexIn(texts: readonly string[], text: string, otherwise: number): string
  /** An entry of a table of numbers or texts, counted from 0. */
  entry(table: readonly string[], at: string): string
  /** The scalar product of a list of floats and numbers, in doubles; NULL where the list is, unless it is known that it never is. */
  dot(list: string, numbers: readonly string[], isWhole?: boolean): string
  /** The sum of the squares of a list of doubles. */
  squares(list: string): string
  /** A sum of doubles that carries its rounding error along. */
  total(value: string): string
  /** The rows of `from` with the uniform of each in (0, 1] as `u`, given its hash as `h`.   @see docs/decisions/randomness.md */
  withUniforms(from: string, stream: Stream): string
}

/** What most databases write alike. */
export const commonOperations = {
  sum: (...of) => balanced(of, (a, b) => `(${a} + ${b})`),
  difference: (a, b) => `(${a} - ${b})`,
  product: (a, b) => `(${a} * ${b})`,
  quotient: (a, b) => `(${a} / ${b})`,
  largest: (...of) => balanced(of, (a, b) => `greatest(${a}, ${b})`),
  smallest: (...of) => balanced(of, (a, b) => `least(${a}, ${b})`),
  sqrt: (x) => `sqrt(${x})`,
  exp: (x) => `exp(${x})`,
  log: (x) => `ln(${x})`,
  log2: (x) => `log2(${x})`,
  floor: (x) => `floor(${x})`,
  abs: (x) => `abs(${x})`,
  'if-at-least': (a, b, yes, no) => `CASE WHEN ${a} >= ${b} THEN ${yes} ELSE ${no} END`,
  'if-above': (a, b, yes, no) => `CASE WHEN ${a} > ${b} THEN ${yes} ELSE ${no} END`,
  'if-equal': (a, b, yes, no) => `CASE WHEN ${a} = ${b} THEN ${yes} ELSE ${no} END`,
} as const satisfies Partial<Dialect['operations']>

/** ln(w) · x/(w − 1), w = 1 + x, loses no digits: what rounding does to w, it does to both factors. */
export function log1pByLog(x: Formula): Formula {
  const w = f.sum(1, x)
  return f.ifEqual(w, 1, x, f.product(f.log(w), f.quotient(x, f.difference(w, 1))))
}

/** The key of a stream as one 64-bit number. */
export function keyOf(stream: Stream): bigint {
  const { low, high } = streamKey(stream)
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
}

/** Pairs, pairs of pairs, …: a sum of a thousand terms must not nest a thousand deep. */
function balanced(of: readonly string[], join: (a: string, b: string) => string): string {
  if (of.length === 1) return of[0]!
  const half = Math.ceil(of.length / 2)
  return join(balanced(of.slice(0, half), join), balanced(of.slice(half), join))
}

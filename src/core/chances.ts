import { identityOf } from './hash.ts'
import type { ColumnModel } from './model.ts'
import { clip } from './numbers.ts'
import { type PointHashes, type Stream, uniformsOf } from './randomness.ts'

/** Chances are kept this far from 0 and from 1, so that logarithms stay finite. */
export const leastChance = 1e-6

/**
 * The scores that the logistic loss, or cross-entropy, reads back as these chances of a point: for two classes the logit of the
 * positive one's, for K the logarithm of each.   @see docs/equations.md#chances
 */
export function scoresOfChances(chances: readonly number[]): number[] {
  const inside = chances.map((p) => clip(p, leastChance, 1 - leastChance))
  return inside.length === 1 ? inside.map((p) => Math.log(p / (1 - p))) : inside.map(Math.log)
}

/** What identifies points and what is said of them, whatever their order and wherever they lie. Adds up. */
export interface ChanceSums {
  readonly points: number
  /** Of the ids alone, modulo 2⁶⁴. */
  readonly ids: bigint
  /** Of every id with every chance, modulo 2⁶⁴. */
  readonly chances: bigint
}

/**
 * The checksum of a column is the sum of 2⁵³ u over its points, u the uniform of the stream below for the hash of the id, xored with
 * ⌊2⁵³ p⌋ where there is a chance p. Every engine has both already, and gives the same sum.   @see docs/decisions/scores-in-columns.md
 */
export const idStream: Stream = { seed: 0, name: 'ids' }
export const chanceStream = (column: number): Stream => ({ seed: 0, name: `chances/${column}` })
export const chanceDigits = 2 ** 53

/** `chances`: of every point, column by column, as 32-bit numbers from 0 to 1. */
export function chanceSums(hashes: PointHashes, chances: readonly Float32Array[]): ChanceSums {
  const digits = chances.map((column, k) => sumOf(chanceStream(k), xored(hashes, column)))
  const total = digits.reduce((sum, own) => sum + own, 0n)
  return { points: hashes.low.length, ids: sumOf(idStream, hashes), chances: BigInt.asUintN(64, total) }
}

function sumOf(stream: Stream, hashes: PointHashes): bigint {
  const uniforms = uniformsOf(stream, hashes)
  let sum = 0n
  for (let i = 0; i < hashes.low.length; i++) sum += BigInt(uniforms(i) * chanceDigits)
  return BigInt.asUintN(64, sum)
}

function xored({ low, high }: PointHashes, chances: Float32Array): PointHashes {
  const digits = Array.from(chances, (p) => Math.floor(p * chanceDigits))
  return {
    low: low.map((word, i) => word ^ (digits[i]! % 2 ** 32)),
    high: high.map((word, i) => word ^ (digits[i]! / 2 ** 32)),
  }
}

/** What identifies the points of a pool. */
export const identityOfPoints = ({ points, ids }: ChanceSums): string => identityOf({ points, ids: `${ids}` })

/** Chances in columns as a model: another once a single one has changed. `name`: what it is called where it was fitted. */
export function chanceModel({ points, chances }: ChanceSums, classes: readonly string[], name?: string): ColumnModel {
  const columns = classes.length === 2 ? 1 : classes.length
  const named = name === undefined ? {} : { name }
  return { kind: 'columns', id: identityOf({ points, chances: `${chances}`, classes, ...named }), classes, ...named, columns }
}

import { requireInput } from '../core/errors.ts'
import { type PointHashes, type Stream, uniformsOf } from '../core/randomness.ts'
import type { StrataCounts } from '../core/strata.ts'
import type { StrataThresholds } from './draw-strata.ts'

/** The strata of the rows of a pool in memory, in four bytes a row, and how many rows of each may still be drawn. */
export class RowStrata {
  /** In increasing order. */
  readonly #codes: Float64Array
  readonly #left: Float64Array
  /** The place of the code of each row; ~place where the row may no longer be drawn. */
  readonly #placeOf: Int32Array

  constructor(codes: Float64Array, placeOf: Int32Array) {
    this.#codes = codes
    this.#placeOf = placeOf
    this.#left = new Float64Array(codes.length)
    for (let row = 0; row < placeOf.length; row++) this.#left[placeOf[row]!]! += 1
  }

  codeOf(row: number): number {
    const place = this.#placeOf[row]!
    return this.#codes[place < 0 ? ~place : place]!
  }

  take(row: number): void {
    const place = this.#placeOf[row]!
    if (place < 0) return
    this.#placeOf[row] = ~place
    this.#left[place]! -= 1
  }

  counts(): StrataCounts {
    const hasPoints = (_: number, place: number) => this.#left[place]! > 0
    return { codes: this.#codes.filter(hasPoints), counts: this.#left.filter(hasPoints) }
  }

  /** Rows that may be drawn and whose uniform is at least the threshold of their stratum. One pass. */
  rowsAbove(thresholds: StrataThresholds, stream: Stream, hashes: PointHashes): number[] {
    const least = this.#leastByPlace(thresholds)
    const placeOf = this.#placeOf
    const uniforms = uniformsOf(stream, hashes)
    const rows: number[] = []
    for (let row = 0; row < placeOf.length; row++) {
      const place = placeOf[row]!
      if (place >= 0 && least[place]! <= 1 && uniforms(row) >= least[place]!) rows.push(row)
    }
    return rows
  }

  #leastByPlace({ codes, least }: StrataThresholds): Float64Array {
    const byPlace = new Float64Array(this.#codes.length).fill(2) // which no uniform is
    let place = 0
    for (let k = 0; k < codes.length; k++) {
      while (place < this.#codes.length && this.#codes[place]! < codes[k]!) place++
      if (this.#codes[place] === codes[k]) byPlace[place] = least[k]!
    }
    return byPlace
  }
}

/** Refuses what names no stratum. */
export function requireCode(code: number): void {
  requireInput(
    Number.isSafeInteger(code) && code >= 0,
    `strata: codes must be whole numbers from 0 to 2^53 − 1, got ${code}`,
    'Is there a score that is no finite number?',
  )
}

/** Puts rows into strata one after another, from the first to the last. */
export class RowStrataBuilder {
  readonly #placeOf: Int32Array
  readonly #places = new Map<number, number>()
  #rows = 0

  constructor(rows: number) {
    this.#placeOf = new Int32Array(rows)
  }

  add(code: number): void {
    this.#placeOf[this.#rows++] = this.#places.get(code) ?? this.#newPlace(code)
  }

  #newPlace(code: number): number {
    requireCode(code)
    this.#places.set(code, this.#places.size)
    return this.#places.size - 1
  }

  strata(): RowStrata {
    const codes = Float64Array.from(this.#places.keys()).sort()
    const sorted = new Int32Array(codes.length)
    for (let k = 0; k < codes.length; k++) sorted[this.#places.get(codes[k]!)!] = k
    const placeOf = this.#placeOf
    for (let row = 0; row < placeOf.length; row++) placeOf[row] = sorted[placeOf[row]!]!
    return new RowStrata(codes, placeOf)
  }
}

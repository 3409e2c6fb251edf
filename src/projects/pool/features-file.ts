import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { dense, type FeatureRows, sparse } from '../../core/features.ts'
import type { PointHashes } from '../../core/randomness.ts'
import { filledSlabs, inSlabs, smallestPool } from '../../engines/fast/slabs.ts'
import { type Recipe, requireRecipe } from '../../features/recipe.ts'
import type { OpenFile } from '../pool.ts'

/** Features with the recipe they were made by. */
export interface MadeFeatures {
  readonly recipe: Recipe
  readonly features: FeatureRows
}

/**
 * The features of a project's pool, as they lie in memory, in `pool/features.bin`: a header line of JSON, padded to a page, then the numbers
 * one after another. Opening a project is then one sequential read. Anything that does not fit is ignored: features can be made again.
 */
const fileIn = (folder: string) => join(folder, 'features.bin')
const unfinishedIn = (folder: string) => `${fileIn(folder)}.new`
const headerSize = 4096
const version = 1

interface Header {
  readonly version: number
  /** Of everything that features depend on. */
  readonly key: string
  readonly recipeSize: number
  readonly rows: number
  /** Entries of sparse features. */
  readonly entries?: number
}

/** Features depend on the file, on what its columns are for, and on which rows there are, in which order. */
export function featuresKey({ table, roles, began }: OpenFile, rows: readonly number[]): string {
  const hash = createHash('sha256').update(table.hash)
  hash.update(JSON.stringify([version, began, roles.map(({ column, role }) => [column.name, role])]))
  return hash.update(Int32Array.from(rows)).digest('hex')
}

/** Numbers that are made again as soon as read. */
const fewest = 2 ** 18

/** Writes features down; those of a pool that no single array holds are left to be made again, and so are few. */
export function keepFeatures(folder: string, key: string, { recipe, features }: MadeFeatures, least = fewest): void {
  const { layout, rows } = features
  const values = layout?.values
  if (!layout || !(values instanceof Float32Array) || values.length < least) return
  const text = Buffer.from(JSON.stringify(recipe))
  const entries = layout.kind === 'sparse' ? { entries: layout.indices.length } : {}
  const header: Header = { version, key, recipeSize: text.length, rows, ...entries }
  const numbers = layout.kind === 'sparse' ? [layout.starts, layout.indices, values] : [values]
  try {
    writeWhole(folder, [Buffer.from(`${JSON.stringify(header)}\n`.padEnd(headerSize)), text, ...numbers.map(bytesOf)])
  } catch {
    // No room, or nothing may be written there: they are made again next time.
    rmSync(unfinishedIn(folder), { force: true })
  }
}

function writeWhole(folder: string, parts: readonly Buffer[]): void {
  const file = openSync(unfinishedIn(folder), 'w')
  try {
    for (const part of parts) writeAll(file, part)
    fsyncSync(file) // whole on disk before it has its name
  } finally {
    closeSync(file)
  }
  renameSync(unfinishedIn(folder), fileIn(folder))
}

/** The features that were written down under this key, if they are there and whole. */
export function readFeatures(folder: string, key: string, hashes: PointHashes): MadeFeatures | undefined {
  let file: number
  try {
    file = openSync(fileIn(folder), 'r')
  } catch {
    return undefined
  }
  try {
    return readFrom(file, key, hashes)
  } catch {
    return undefined // cut short, or by another version
  } finally {
    closeSync(file)
  }
}

function readFrom(file: number, key: string, hashes: PointHashes): MadeFeatures | undefined {
  const first = Buffer.alloc(headerSize)
  readAll(file, first, 0)
  const header: Header = JSON.parse(first.toString())
  const { recipeSize, rows, entries } = header
  if (header.version !== version || header.key !== key || rows !== hashes.low.length) return undefined
  const text = Buffer.alloc(recipeSize)
  readAll(file, text, headerSize)
  const recipe = requireRecipe(JSON.parse(text.toString()))
  const start = headerSize + recipeSize
  const size = entries === undefined ? 4 * rows * recipe.width : 4 * (rows + 1) + 8 * entries
  if (fstatSync(file).size !== start + size) return undefined
  const features =
    entries === undefined ? readDense(file, start, recipe.width, hashes) : readSparse(file, start, entries, recipe, hashes)
  return { recipe, features }
}

function readDense(file: number, start: number, columns: number, hashes: PointHashes): FeatureRows {
  const rows = hashes.low.length
  const fill = (into: Float32Array, first: number) => readAll(file, bytesOf(into), start + 4 * first * columns)
  if (rows >= smallestPool) return filledSlabs(columns, hashes, fill)
  const values = new Float32Array(rows * columns)
  fill(values, 0)
  return dense(values, columns)
}

function readSparse(file: number, start: number, entries: number, { width }: Recipe, hashes: PointHashes): FeatureRows {
  const starts = new Uint32Array(hashes.low.length + 1)
  const indices = new Uint32Array(entries)
  const values = new Float32Array(entries)
  let at = start
  for (const part of [starts, indices, values]) {
    readAll(file, bytesOf(part), at)
    at += part.byteLength
  }
  return inSlabs(sparse({ starts, indices, values }, width), hashes)
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array) => Buffer.from(buffer, byteOffset, byteLength)

const mostAtOnce = 2 ** 30 // bytes; the system takes a little less than 2 GiB

function writeAll(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, Math.min(mostAtOnce, bytes.length - done))
}

function readAll(file: number, into: Buffer, from: number): void {
  for (let done = 0; done < into.length; ) {
    const read = readSync(file, into, done, Math.min(mostAtOnce, into.length - done), from + done)
    if (read === 0) throw new Error('features: cut short')
    done += read
  }
}

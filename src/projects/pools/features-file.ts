import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { StepWish } from '../../core/feature-blocks.ts'
import { dense, type FeatureRows, sparse } from '../../core/features.ts'
import type { PointHashes } from '../../core/randomness.ts'
import {
  type Bytes,
  byteSlabs,
  bytesOf,
  filledBytes,
  filledSlabs,
  floatsOf,
  haveBytes,
  inSlabs,
  smallestPool,
  strideOf,
} from '../../engines/kernels/slabs.ts'
import { type Recipe, requireRecipe } from '../../features/recipe.ts'
import type { OpenColumns } from './open-file.ts'
import { readWhole, type WholeFile, writeWhole } from './whole-file.ts'

/** Features with the recipe they were made by. */
export interface MadeFeatures {
  readonly recipe: Recipe
  readonly features: FeatureRows
  /** Lets go of the file that rows are read from. */
  letGo?(): void
}

/**
 * The features of a project's pool, as they lie in memory, in `pool/features.bin`: how they were made, then the numbers one after another. Opening a
 * project is then one sequential read. Anything that does not fit is ignored: features can be made again.
 */
const fileIn = (folder: string) => join(folder, 'features.bin')
const version = 2

interface FeaturesHeader {
  readonly version: number
  /** Of everything that features depend on. */
  readonly key: string
  readonly recipeSize: number
  readonly rows: number
  /** Entries of sparse features. */
  readonly entries?: number
}

/** Features depend on the file, on what its columns are for, on which rows there are, in which order, and on what is made of them. */
export function featuresKey({ table, roles, began }: OpenColumns, rows: readonly number[], steps?: StepWish): string {
  const hash = createHash('sha256').update(table.hash)
  const columns = roles.map(({ column, role }) => [column.name, role])
  hash.update(JSON.stringify([version, began, columns, ...(steps ? [steps] : [])]))
  return hash.update(new Int32Array(rows)).digest('hex')
}

/** Numbers that are made again as soon as read. */
const fewest = 2 ** 18

/** Writes features down, unless they are few. */
export function keepFeatures(folder: string, key: string, { recipe, features }: MadeFeatures, least = fewest): void {
  const { layout, rows } = features
  const isSparse = layout?.kind === 'sparse' && layout.values instanceof Float32Array
  const numbers = isSparse ? [layout.starts, layout.indices, layout.values] : floatsOf(features)
  const entries = isSparse ? layout.indices.length : rows * features.columns
  if (!numbers || entries < least) return
  const text = Buffer.from(JSON.stringify(recipe))
  const header: FeaturesHeader = { version, key, recipeSize: text.length, rows, ...(isSparse && { entries }) }
  writeWhole(fileIn(folder), header, [text, ...numbers])
}

/**
 * The features that were written down under this key, if they are there and whole. With 8 bits their bytes are read in their place, and the numbers
 * themselves stay where they are.
 */
export function readFeatures(folder: string, key: string, hashes: PointHashes, bits: 8 | 32 = 32): MadeFeatures | undefined {
  return readWhole<MadeFeatures, FeaturesHeader>(fileIn(folder), (file) => {
    const { header } = file
    const { recipeSize, rows, entries } = header
    if (header.version !== version || header.key !== key || rows !== hashes.low.length) return undefined
    const text = Buffer.alloc(recipeSize)
    file.read(text, 0)
    const recipe = requireRecipe(JSON.parse(text.toString()))
    const start = recipeSize
    const size = entries === undefined ? 4 * rows * recipe.width : 4 * (rows + 1) + 8 * entries
    if (file.size !== start + size) return undefined
    if (entries !== undefined) return { value: { recipe, features: readSparse(file, start, entries, recipe, hashes) } }
    if (bits === 32 || rows < smallestPool) return { value: { recipe, features: readDense(file, start, recipe.width, hashes) } }
    const features = rowsOnFile(file, start, rows, recipe.width)
    haveBytes(features, bytesFor(folder, key, features, hashes))
    return { value: { recipe, features, letGo: () => file.close() }, keepsOpen: true }
  })
}

function readDense(file: WholeFile<FeaturesHeader>, start: number, columns: number, hashes: PointHashes): FeatureRows {
  const rows = hashes.low.length
  const fill = (into: Float32Array, first: number) => file.read(into, start + 4 * first * columns)
  if (rows >= smallestPool) return filledSlabs(columns, hashes, fill)
  const values = new Float32Array(rows * columns)
  fill(values, 0)
  return dense(values, columns)
}

function readSparse(
  file: WholeFile<FeaturesHeader>,
  start: number,
  entries: number,
  { width }: Recipe,
  hashes: PointHashes,
): FeatureRows {
  const starts = new Uint32Array(hashes.low.length + 1)
  const indices = new Uint32Array(entries)
  const values = new Float32Array(entries)
  let at = start
  for (const part of [starts, indices, values]) {
    file.read(part, at)
    at += part.byteLength
  }
  return inSlabs(sparse({ starts, indices, values }, width), hashes)
}

const ahead = 2 ** 20 // bytes that are read at once by those who go from row to row

/**
 * Dense features that stay in a file and are read when asked for: some rows here and there, or all of them in order. `start` is where the
 * numbers begin in the file.
 */
function rowsOnFile(file: WholeFile<FeaturesHeader>, start: number, rows: number, columns: number): FeatureRows {
  const values = new Float32Array(Math.ceil(ahead / (4 * columns)) * columns)
  let first = 0 // rows first … next − 1 are at hand
  let next = 0

  /** Where a row begins in the values at hand. Rows in order are read ahead; others one by one. */
  function at(row: number): number {
    if (row < first || row >= next) {
      const length = row === next ? Math.min(values.length / columns, rows - row) : 1
      file.read(values.subarray(0, length * columns), start + 4 * row * columns)
      first = row
      next = row + length
    }
    return (row - first) * columns
  }

  return {
    rows,
    columns,
    dot(row, vector) {
      const from = at(row)
      let sum = 0
      for (let j = 0; j < columns; j++) sum += values[from + j]! * vector[j]!
      return sum
    },
    addInPlace(row, factor, vector) {
      const from = at(row)
      for (let j = 0; j < columns; j++) vector[j]! += factor * values[from + j]!
    },
    select(chosen) {
      const copy = new Float32Array(chosen.length * columns)
      for (const [k, row] of chosen.entries()) file.read(copy.subarray(k * columns, (k + 1) * columns), start + 4 * row * columns)
      return dense(copy, columns)
    },
  }
}

/**
 * The same features in 8 bits, in `pool/features-8.bin`, as they lie in memory: of every column the centre and the step, then the bytes of all rows.
 * Opening it is one sequential read of a quarter of the size.
 */
const bytesFileIn = (folder: string) => join(folder, 'features-8.bin')
const bytesVersion = 2

interface BytesHeader {
  readonly version: number
  /** Of everything that features depend on. */
  readonly key: string
  readonly rows: number
  readonly columns: number
}

/** The bytes of features: those that were written down, or else made, and written down for the next time. */
function bytesFor(folder: string, key: string, features: FeatureRows, hashes: PointHashes): Bytes {
  const header: BytesHeader = { version: bytesVersion, key, rows: features.rows, columns: features.columns }
  const found = readBytes(folder, header, hashes)
  if (found) return found
  const bytes = byteSlabs(features, hashes)
  const { centres, scales } = bytes.scales
  writeWhole(bytesFileIn(folder), header, [centres, scales, ...bytesOf(bytes)])
  return bytes
}

function readBytes(folder: string, wanted: BytesHeader, hashes: PointHashes): Bytes | undefined {
  const { rows, columns } = wanted
  return readWhole<Bytes, BytesHeader>(bytesFileIn(folder), (file) => {
    const stride = strideOf(columns)
    const start = 16 * columns
    const isWanted = JSON.stringify(file.header) === JSON.stringify(wanted)
    if (!isWanted || file.size !== start + rows * stride) return undefined
    const [centres, scales] = [new Float64Array(columns), new Float64Array(columns)]
    file.read(centres, 0)
    file.read(scales, 8 * columns)
    const value = filledBytes(columns, hashes, { centres, scales }, (into, first) => file.read(into, start + first * stride))
    return { value }
  })
}

import { fstatSync } from 'node:fs'
import { join } from 'node:path'
import type { FeatureRows } from '../../core/features.ts'
import type { PointHashes } from '../../core/randomness.ts'
import { type Bytes, byteSlabs, bytesOf, filledBytes, strideOf } from '../../engines/kernels/slabs.ts'
import { headerSize, readAll, readHeader, readWhole, writeWhole } from './whole-file.ts'

/**
 * The same features in 8 bits, in `pool/features-8.bin`, as they lie in memory: of every column the centre and the step, then the bytes of all rows.
 * Opening it is one sequential read of a quarter of the size.
 */
const fileIn = (folder: string) => join(folder, 'features-8.bin')
const version = 1

interface BytesHeader {
  readonly version: number
  /** Of everything that features depend on. */
  readonly key: string
  readonly rows: number
  readonly columns: number
}

/** The bytes of features: those that were written down, or else made, and written down for the next time. */
export function bytesFor(folder: string, key: string, features: FeatureRows, hashes: PointHashes): Bytes {
  const header: BytesHeader = { version, key, rows: features.rows, columns: features.columns }
  const found = readBytes(folder, header, hashes)
  if (found) return found
  const bytes = byteSlabs(features, hashes)
  const { centres, scales } = bytes.scales
  writeWhole(fileIn(folder), header, [centres, scales, ...bytesOf(bytes)])
  return bytes
}

function readBytes(folder: string, wanted: BytesHeader, hashes: PointHashes): Bytes | undefined {
  const { rows, columns } = wanted
  return readWhole(fileIn(folder), (file) => {
    const stride = strideOf(columns)
    const start = headerSize + 16 * columns
    const isWanted = JSON.stringify(readHeader<BytesHeader>(file)) === JSON.stringify(wanted)
    if (!isWanted || fstatSync(file).size !== start + rows * stride) return undefined
    const [centres, scales] = [new Float64Array(columns), new Float64Array(columns)]
    readAll(file, centres, headerSize)
    readAll(file, scales, headerSize + 8 * columns)
    const value = filledBytes(columns, hashes, { centres, scales }, (into, first) => readAll(file, into, start + first * stride))
    return { value }
  })
}

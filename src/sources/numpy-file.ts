import { readFile } from 'node:fs/promises'
import { closing } from '../core/closing.ts'
import { requireInput } from '../core/errors.ts'
import type { DataFile } from './files.ts'
import type { ToolRecord } from './tool-record.ts'
import { openZip } from './zip.ts'

/** An array of one or two dimensions: a cell or a vector for every row. */
interface NumpyArray {
  readonly rows: number
  at(row: number): string | number | readonly number[]
}

/** The rows of an array, under the name `x`, with the ids beside it; of an archive of arrays, under their names, side by side. */
export async function* numpyRows({ path, format, beside }: DataFile): AsyncGenerator<ToolRecord> {
  const ids = beside === undefined ? undefined : await idsIn(beside)
  const named: [string, NumpyArray][] = ids ? [['id', { rows: ids.length, at: (row) => ids[row]! }]] : []
  const arrays = format === 'npz' ? await arraysIn(path) : new Map([...named, ['x', arrayIn(path, await readFile(path))]])
  const [[first, { rows }] = ['', { rows: 0 }]] = arrays
  for (const [name, { rows: own }] of arrays)
    requireInput(own === rows, `${path}: arrays of the same length are required, got ${first} of ${rows} and ${name} of ${own}`)
  for (let row = 0; row < rows; row++) yield Object.fromEntries([...arrays].map(([name, array]) => [name, array.at(row)]))
}

const idsIn = async (path: string) => (await readFile(path, 'utf8')).replace(/\r?\n$/, '').split(/\r?\n/)

const arraysIn = (path: string): Promise<Map<string, NumpyArray>> =>
  closing(openZip(path), async ({ entries, read }) => {
    const files = [...entries.values()].filter(({ name }) => name.endsWith('.npy'))
    requireInput(files.length > 0, `${path}: arrays as numpy.savez writes them are required, got none`)
    const arrays = new Map<string, NumpyArray>()
    for (const entry of files) arrays.set(entry.name.slice(0, -4), arrayIn(`${path}: ${entry.name}`, await read(entry)))
    return arrays
  })

const magic = '\x93NUMPY'

/** https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
function arrayIn(where: string, bytes: Buffer): NumpyArray {
  requireInput(
    bytes.length >= 12 && bytes.toString('latin1', 0, 6) === magic,
    `${where}: an array as numpy.save writes it is required, got another file`,
  )
  const isFirst = bytes[6] === 1
  const begin = isFirst ? 10 : 12
  const start = begin + (isFirst ? bytes.readUInt16LE(8) : bytes.readUInt32LE(8))
  const header = bytes.toString('latin1', begin, start)
  const type = /'descr':\s*'([^']*)'/.exec(header)?.[1] ?? 'records'
  const shape = (/'shape':\s*\(([^)]*)\)/.exec(header)?.[1] ?? '')
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(Number)
  const { size, read } = itemsOf(where, type, bytes)
  const [rows = 0, columns = 1] = shape
  const isTable = (shape.length === 1 || shape.length === 2) && shape.every(Number.isSafeInteger)
  requireInput(isTable, `${where}: an array of one or two dimensions is required, got the shape (${shape})`)
  requireInput(
    bytes.length === start + rows * columns * size,
    `${where}: ${rows} × ${columns} items are required, as its header says, got ${bytes.length - start} bytes`,
    'Check that it was written completely.',
  )
  const isByColumn = /'fortran_order':\s*True/.test(header)
  const item = (row: number, column: number) => read(start + size * (isByColumn ? column * rows + row : row * columns + column))
  if (shape.length === 1) return { rows, at: (row) => item(row, 0) }
  return {
    rows,
    at: (row) =>
      Array.from({ length: columns }, (_, column) => {
        const value = item(row, column)
        requireInput(typeof value === 'number', `${where}: numbers are required in an array of two dimensions, got texts`)
        return value
      }),
  }
}

/** How items of a type lie in the bytes. */
function itemsOf(where: string, type: string, bytes: Buffer): { size: number; read(at: number): string | number } {
  const [, order = '', kind = '', digits = ''] = /^([<>|=]?)([a-zA-Z])(\d+)$/.exec(type) ?? []
  const size = Number(digits)
  const isKnown = kind !== '' && order !== '>' && (numbers[kind]?.includes(size) || kind === 'U' || kind === 'S')
  const hint = 'In Python: numpy.save(path, x.astype("float32")).'
  requireInput(isKnown, `${where}: numbers or texts, the low byte first, are required, got ${type}`, hint)
  const finite = (value: number) => {
    requireInput(Number.isFinite(value), `${where}: finite numbers are required, got ${value}`)
    return value
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  if (kind === 'f') return { size, read: (at) => finite(size === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true)) }
  if (kind === 'U')
    return { size: 4 * size, read: (at) => textOf(Array.from({ length: size }, (_, k) => view.getUint32(at + 4 * k, true))) }
  if (kind === 'S') return { size, read: (at) => textOf([...bytes.subarray(at, at + size)]) }
  if (size === 8) return { size, read: (at) => Number(kind === 'i' ? view.getBigInt64(at, true) : view.getBigUint64(at, true)) }
  return { size, read: (at) => (kind === 'i' ? bytes.readIntLE(at, size) : bytes.readUIntLE(at, size)) }
}

const numbers: Readonly<Record<string, readonly number[]>> = { f: [4, 8], i: [1, 2, 4, 8], u: [1, 2, 4, 8], b: [1] }

/** Texts are as long as the longest, and end with nothing. */
const textOf = (codes: readonly number[]): string => String.fromCodePoint(...codes).replace(/\0+$/, '')

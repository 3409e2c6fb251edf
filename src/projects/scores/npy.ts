import { readFile } from 'node:fs/promises'
import { requireInput } from '../../core/errors.ts'

/** A table of numbers, as NumPy writes it: so many columns, row by row. */
export interface Matrix {
  readonly rows: number
  readonly columns: number
  at(row: number, column: number): number
}

const magic = '\x93NUMPY'

/** Reads an array of two dimensions from an NPY file: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. */
export async function readNpy(path: string): Promise<Matrix> {
  const bytes = await readFile(path)
  requireInput(
    bytes.length >= 12 && bytes.toString('latin1', 0, 6) === magic,
    `${path}: an array as numpy.save writes it is required, got another file`,
  )
  const isFirst = bytes[6] === 1
  const begin = isFirst ? 10 : 12
  const start = begin + (isFirst ? bytes.readUInt16LE(8) : bytes.readUInt32LE(8))
  const header = bytes.toString('latin1', begin, start)
  const type = /'descr':\s*'([^']*)'/.exec(header)?.[1]
  const size = type === '<f8' ? 8 : type === '<f4' ? 4 : undefined
  requireInput(
    size !== undefined,
    `${path}: numbers of 32 or 64 bits are required, got ${type ?? 'records'}`,
    'In Python: numpy.save(path, probabilities.astype("float32")).',
  )
  const shape = /'shape':\s*\(([^)]*)\)/.exec(header)?.[1] ?? ''
  const [rows, columns, ...more] = shape
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(Number)
  requireInput(
    rows !== undefined && columns !== undefined && more.length === 0,
    `${path}: a row for each point and a column for each class is required, got the shape (${shape})`,
  )
  requireInput(
    bytes.length === start + rows * columns * size,
    `${path}: ${rows} × ${columns} numbers are required, as its header says, got ${bytes.length - start} bytes`,
    'Write it completely before you name it.',
  )
  const isByColumn = /'fortran_order':\s*True/.test(header)
  const numbers = new DataView(bytes.buffer, bytes.byteOffset + start)
  const place = (row: number, column: number) => size * (isByColumn ? column * rows + row : row * columns + column)
  return {
    rows,
    columns,
    at: size === 8 ? (i, k) => numbers.getFloat64(place(i, k), true) : (i, k) => numbers.getFloat32(place(i, k), true),
  }
}

import { open } from 'node:fs/promises'
import { orClosed } from '../../core/closing.ts'
import { requireInput } from '../../core/errors.ts'
import { requireFile } from '../../sources/files.ts'

/** A table of numbers, as NumPy writes it: so many columns, row by row. */
export interface Matrix {
  readonly rows: number
  readonly columns: number
  /** So many rows from one on, row by row; fewer where there are no more. */
  read(start: number, count: number): Promise<Float64Array>
  close(): Promise<void>
}

interface Layout {
  readonly rows: number
  readonly columns: number
  /** Bytes of a number. */
  readonly size: 4 | 8
  /** Where the numbers begin. */
  readonly start: number
  readonly isByColumn: boolean
}

const magic = '\x93NUMPY'
const longestHeader = 1 << 16

/** Opens an array of two dimensions in an NPY file: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. */
export async function openNpy(path: string): Promise<Matrix> {
  const length = await requireFile(path)
  return orClosed(await open(path), async (file) => {
    const head = Buffer.alloc(Math.min(length, longestHeader))
    await file.read(head, 0, head.length, 0)
    const layout = layoutIn(path, head)
    const { rows, columns, size, start, isByColumn } = layout
    requireInput(
      length === start + rows * columns * size,
      `${path}: ${rows} × ${columns} numbers are required, as its header says, got ${length - start} bytes`,
      'Write it completely before you name it.',
    )
    const numbersAt = async (first: number, count: number) => {
      const { buffer } = await file.read(Buffer.alloc(count * size), 0, count * size, start + first * size)
      const view = new DataView(buffer.buffer, buffer.byteOffset)
      return Float64Array.from({ length: count }, (_, i) =>
        size === 8 ? view.getFloat64(8 * i, true) : view.getFloat32(4 * i, true),
      )
    }
    return {
      rows,
      columns,
      async read(from, wanted) {
        const count = Math.max(0, Math.min(wanted, rows - from))
        if (!isByColumn) return numbersAt(from * columns, count * columns)
        const found = new Float64Array(count * columns)
        for (let k = 0; k < columns; k++)
          for (const [i, number] of (await numbersAt(k * rows + from, count)).entries()) found[i * columns + k] = number
        return found
      },
      close: () => file.close(),
    }
  })
}

function layoutIn(path: string, head: Buffer): Layout {
  requireInput(
    head.length >= 12 && head.toString('latin1', 0, 6) === magic,
    `${path}: an array as numpy.save writes it is required, got another file`,
  )
  const isFirst = head[6] === 1
  const begin = isFirst ? 10 : 12
  const start = begin + (isFirst ? head.readUInt16LE(8) : head.readUInt32LE(8))
  const header = head.toString('latin1', begin, start)
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
    Number.isSafeInteger(rows) && Number.isSafeInteger(columns) && more.length === 0,
    `${path}: a row for each point and a column for each class is required, got the shape (${shape})`,
  )
  return { rows: rows!, columns: columns!, size, start, isByColumn: /'fortran_order':\s*True/.test(header) }
}

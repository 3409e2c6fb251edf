import { constants } from 'node:fs'
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { closing } from '../core/closing.ts'
import { AlisError, requireInput } from '../core/errors.ts'
import type { Table } from '../sources/table.ts'
import type { Embedder } from './embedder.ts'

/** Vectors of the rows of a table, one after another in a file. */
export interface VectorsFile {
  readonly path: string
  readonly width: number
  /** Rows of which nothing can be said. */
  readonly missing: number
}

export interface Making {
  readonly table: Table
  readonly column: string
  openModel(): Promise<Embedder>
  progress?(share: number, step: string): void
  readonly signal?: AbortSignal | undefined
}

/** Values that a model is asked about at a time. What it says of one may depend on the others in its last digits, so a file that is gone on with begins with a whole batch. */
const batchSize = 32

/** The vectors of a column, of which those that are on disk already are not made again. */
export async function vectorsFile(path: string, making: Making): Promise<VectorsFile> {
  const about = `${path}.json`
  const known = await readFile(about, 'utf8').then(JSON.parse, () => ({}))
  if (known.missing !== undefined) return { ...known, path }
  await mkdir(dirname(path), { recursive: true }).catch(refuse(path))
  return closing(open(path, constants.O_RDWR | constants.O_CREAT).catch(refuse(path)), async (file) => {
    const width = await fill(file, known.width, { ...making, about })
    const found = { width, missing: await missingIn(file, width, making.table.rows) }
    await writeWhole(about, found)
    return { ...found, path }
  })
}

const refuse = (path: string) => (cause: NodeJS.ErrnoException) => {
  throw new AlisError('bad-input', `${path}: must be a place to keep vectors in, got ${cause.code ?? cause.message}`, undefined, {
    cause,
  })
}

type Handle = Awaited<ReturnType<typeof open>>

/** Makes the vectors that are not there yet. Returns how long each is. */
async function fill(file: Handle, known: number | undefined, making: Making & { readonly about: string }): Promise<number> {
  const { table, column, progress, signal, about } = making
  const made = known === undefined ? 0 : Math.floor((await file.stat()).size / (4 * known) / batchSize) * batchSize
  await file.truncate(made * 4 * (known ?? 0))
  const model = await making.openModel()
  let width = known
  let done = made
  const write = async (values: readonly (string | null)[]) => {
    signal?.throwIfAborted()
    const vectors = await vectorsFor(model, column, values)
    width ??= vectors.find((vector) => vector !== undefined)?.length
    requireInput(width !== undefined, `${column}: a first value among ${batchSize} is required to embed, got empty cells alone`)
    if (done === 0) await writeWhole(about, { width })
    const bytes = new Float32Array(values.length * width).fill(Number.NaN)
    for (const [i, vector] of vectors.entries()) if (vector) bytes.set(vector, i * width)
    await file.write(new Uint8Array(bytes.buffer), 0, bytes.byteLength, done * 4 * width)
    await file.datasync()
    done += values.length
    progress?.(done / table.rows, 'embedding')
  }
  try {
    let open: (string | null)[] = []
    for await (const { start, columns } of table.batches([{ name: column, as: 'text' }])) {
      const values = columns[0]!.values as readonly (string | null)[]
      open.push(...values.slice(Math.max(0, made - start)))
      for (; open.length >= batchSize; open = open.slice(batchSize)) await write(open.slice(0, batchSize))
    }
    if (open.length > 0) await write(open)
  } finally {
    await model.close()
  }
  requireInput(done === table.rows && width !== undefined, `${column}: ${table.rows} rows are required, got vectors of ${done}`)
  return width
}

async function vectorsFor(
  model: Embedder,
  column: string,
  values: readonly (string | null)[],
): Promise<(Float32Array | undefined)[]> {
  const filled = values.filter((value) => value !== null && value.trim() !== '') as string[]
  const found =
    filled.length === 0
      ? []
      : await model.embed(filled).catch((cause) => {
          const got = (cause as Error).message.split('\n')[0]
          throw new AlisError('bad-input', `${column}: values that the model can read are required, got ${got}`, undefined, {
            cause,
          })
        })
  let next = 0
  return values.map((value) => {
    if (value === null || value.trim() === '') return undefined
    const vector = found[next++]
    return vector?.every(Number.isFinite) ? vector : undefined
  })
}

/** So many rows from one on; NaN where nothing can be said. */
export function readVectors({ path, width }: VectorsFile, start: number, rows: number): Promise<Float32Array> {
  return closing(open(path, 'r'), (file) => vectorsAt(file, width, start, rows))
}

async function vectorsAt(file: Handle, width: number, start: number, rows: number): Promise<Float32Array> {
  const values = new Float32Array(rows * width)
  const bytes = new Uint8Array(values.buffer)
  const { bytesRead } = await file.read(bytes, 0, bytes.length, start * width * 4)
  if (bytesRead === bytes.length) return values
  throw new AlisError('store-failed', `vectors: ${bytes.length} bytes are required on disk, got ${bytesRead}`)
}

async function missingIn(file: Handle, width: number, rows: number): Promise<number> {
  let missing = 0
  const step = 4096
  for (let start = 0; start < rows; start += step) {
    const count = Math.min(step, rows - start)
    const values = await vectorsAt(file, width, start, count)
    for (let i = 0; i < count; i++) if (Number.isNaN(values[i * width]!)) missing++
  }
  return missing
}

async function writeWhole(path: string, content: object): Promise<void> {
  await writeFile(`${path}.part`, JSON.stringify(content))
  await rename(`${path}.part`, path)
}

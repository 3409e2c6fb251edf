import { createInterface } from 'node:readline'
import { requireInput } from '../core/errors.ts'
import { unpacked } from './file-hash.ts'
import type { DataFile } from './files.ts'
import type { ToolRecord } from './tool-record.ts'

const mostColumns = 2 ** 14 // a row is written out with all of its zeros

interface SparseRow {
  readonly label: string
  readonly query: string | undefined
  readonly at: readonly number[]
  readonly values: readonly number[]
}

/** Lines of LIBSVM: a label, a query in some, and features by number, as one vector. A file that counts from 0 is read so. */
export async function* svmRows(file: DataFile): AsyncGenerator<ToolRecord> {
  let [least, most, hasQuery] = [Number.POSITIVE_INFINITY, 0, false]
  for await (const { at, query } of sparseRows(file)) {
    for (const index of at) [least, most] = [Math.min(least, index), Math.max(most, index)]
    hasQuery ||= query !== undefined
  }
  const first = least === 0 ? 0 : 1
  const width = most - first + 1
  requireInput(
    width <= mostColumns,
    `${file.path}: at most ${mostColumns} features are required, got ${width}`,
    'Bring them to fewer first.',
  )
  for await (const { label, query, at, values } of sparseRows(file)) {
    const x = new Array<number>(Math.max(width, 1)).fill(0)
    for (const [k, index] of at.entries()) x[index - first] = values[k]!
    yield { label, ...(hasQuery && { qid: query ?? null }), x }
  }
}

async function* sparseRows(file: DataFile): AsyncGenerator<SparseRow> {
  let line = 0
  for await (const text of createInterface({ input: unpacked(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    line++
    const [label, ...pairs] = text.replace(/#.*/, '').trim().split(/\s+/)
    if (label === undefined || label === '') continue
    const refuse = (pair: string) =>
      `${file.path}: line ${line} must be a label and features as 3:0.5, got ${JSON.stringify(pair.slice(0, 40))}`
    requireInput(!label.includes(':'), refuse(label))
    const isQuery = pairs[0]?.startsWith('qid:') ?? false
    const features = pairs.slice(isQuery ? 1 : 0).map((pair) => {
      const [, index, value] = /^(\d+):(\S+)$/.exec(pair) ?? []
      requireInput(index !== undefined && Number.isFinite(Number(value)), refuse(pair))
      return [Number(index), Number(value)] as const
    })
    const isSorted = features.every(([index], k) => k === 0 || index > features[k - 1]![0])
    requireInput(isSorted, `${file.path}: line ${line} must have its features in ascending order, got others`)
    yield {
      label,
      query: isQuery ? pairs[0]!.slice(4) : undefined,
      at: features.map(([index]) => index),
      values: features.map(([, value]) => value),
    }
  }
}

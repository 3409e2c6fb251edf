import { createWriteStream } from 'node:fs'
import { text as textOf } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { closing } from '../core/closing.ts'
import { requireInput } from '../core/errors.ts'
import { annotationTools } from './annotation-tools.ts'
import { readRow, streamChunks } from './duckdb.ts'
import { evaluationLogs, inspectRows } from './evaluation-logs.ts'
import { readHead, unpacked } from './file-hash.ts'
import type { DataFile } from './files.ts'
import { jsonOptions } from './json-file.ts'
import { numpyRows } from './numpy-file.ts'
import type { OpeningFile } from './opening.ts'
import { sqliteRows } from './sqlite-file.ts'
import { svmRows } from './svm-file.ts'
import { isJson, type Json, type ToolRecord } from './tool-record.ts'
import { openZip } from './zip.ts'

const most = 2 ** 29 // bytes of a file that is one object: as long as a text can be

/** A file of JSON as rows with cells: itself, or what the export of a tool comes to, on scratch. */
export async function toolRows(file: DataFile, opening: Pick<OpeningFile, 'database' | 'scratch'>): Promise<DataFile> {
  if (file.format === 'inspect') return written(file, opening, await samplesIn(file.path))
  if (file.format === 'sqlite') return written(file, opening, sqliteRows(file))
  if (file.format === 'svm') return written(file, opening, svmRows(file))
  if (file.format === 'npy' || file.format === 'npz') return written(file, opening, numpyRows(file))
  const rows = file.format === 'json' && (await isOneObject(file)) ? await logRows(file) : await annotatedRows(file, opening)
  return rows ? written(file, opening, rows) : file
}

async function written(
  file: DataFile,
  { scratch }: Pick<OpeningFile, 'scratch'>,
  rows: AsyncIterable<ToolRecord> | Iterable<ToolRecord>,
): Promise<DataFile> {
  const copy = await scratch.name()
  await pipeline(rows, linesOf, createWriteStream(copy))
  return { ...file, path: copy, format: 'jsonl', compression: 'none' }
}

async function* linesOf(rows: AsyncIterable<ToolRecord> | Iterable<ToolRecord>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`
}

async function isOneObject(file: DataFile): Promise<boolean> {
  const head = await readHead(file, (text) => /\S/.test(text))
  return /^\ufeff?\s*\{/.test(head)
}

/** The rows of an evaluation. Any other object is no table, and is refused where tables are read. */
async function logRows(file: DataFile): Promise<readonly ToolRecord[] | undefined> {
  requireInput(file.bytes < most, `${file.path}: a file below 512 MB is required where it is one object, got a larger one`)
  const text = await textOf(unpacked(file))
  const log = parsed(text)
  const isLines = log === undefined && parsed(text.trimStart().split('\n', 1)[0]!) !== undefined
  requireInput(
    log !== undefined || isLines,
    `${file.path}: must be a whole object of JSON, got a part or something else`,
    'Check that it was written completely.',
  )
  const format = isJson(log) ? evaluationLogs.find((each) => each.isOne(log)) : undefined
  const rows = isJson(log) ? format?.rows(log) : undefined
  requireInput(rows?.length !== 0, `${file.path}: must have rows, got results of ${format?.name} without any`)
  return rows
}

/** Samples of a log of Inspect, which is an archive with a file for each. */
const samplesIn = (path: string): Promise<readonly ToolRecord[]> =>
  closing(openZip(path), async ({ entries, read }) => {
    const files = [...entries.values()].filter(({ name }) => /^samples\/.*\.json$/.test(name))
    requireInput(files.length > 0, `${path}: must be a log of Inspect with samples, got ${entries.size} other files in it`)
    const samples: Json[] = []
    for (const entry of files) {
      const sample = parsed((await read(entry)).toString('utf8'))
      requireInput(isJson(sample), `${path}: ${entry.name} must be a sample, got something else`)
      samples.push(sample)
    }
    return inspectRows(samples)
  })

/** The rows of a tool for labelling, where the first object is one of its records; all others must be. */
async function annotatedRows(
  file: DataFile,
  { database }: Pick<OpeningFile, 'database'>,
): Promise<AsyncIterable<ToolRecord> | undefined> {
  await readHead(file, () => true) // refuses UTF-16
  const objects = `read_json_objects(${jsonOptions(file)})`
  const first = await readRow(database, `SELECT json FROM ${objects} LIMIT 1`).then(
    ([text]) => parsed(String(text)),
    () => undefined, // what is wrong with it is said where it is read
  )
  const tool = isJson(first) ? annotationTools.find((each) => each.isOne(first)) : undefined
  if (!tool) return undefined
  return (async function* () {
    let row = 0
    for await (const chunk of streamChunks(database, `SELECT json::VARCHAR FROM ${objects}`)) {
      for (let k = 0; k < chunk.rowCount; k++) {
        const record = parsed(String(chunk.getColumnVector(0).getItem(k)))
        row++
        requireInput(
          isJson(record) && tool.isOne(record),
          `${file.path}: row ${row} must be a record of ${tool.name} like the first, got another`,
        )
        yield tool.row(record)
      }
    }
  })()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createGunzip } from 'node:zlib'
import { requireInput } from '../core/errors.ts'
import { fileError } from './duckdb-errors.ts'

/**
 * SQL for the records of a CSV file as text columns c0, c1, …  Record 0 is the header; DuckDB's own way of skipping it loses rows
 * when a line break is quoted (1.5.6). Everything is said and nothing guessed: its guesses depend on the rows it happens to sample.
 */
export async function csvRecords(path: string): Promise<string> {
  await checkFile(path)
  const { delimiter, newline, columns } = await csvShape(path)
  const file = resolve(path)
    .replace(/[[*?]/g, '[$&]') // a name, not a pattern
    .replaceAll("'", "''")
  const names = Array.from({ length: columns }, (_, i) => `c${i}: 'VARCHAR'`)
  return `read_csv('${file}', auto_detect = false, header = false, hive_partitioning = false, columns = {${names}},
    delim = '${delimiter}', quote = '"', escape = '"', new_line = '${JSON.stringify(newline).slice(1, -1)}',
    compression = '${isGzip(path) ? 'gzip' : 'none'}')`
}

interface CsvShape {
  readonly delimiter: string
  readonly newline: string
  readonly columns: number
}

/** What the header line tells, outside quotes. The delimiter is the one it has most of; a comma if it has none. */
async function csvShape(path: string): Promise<CsvShape> {
  const text = withoutQuotes(await readHead(path))
  const newline = /\r\n|\n|\r/.exec(text)
  const header = newline ? text.slice(0, newline.index) : text
  const empty = newline ? 'an empty line' : 'an empty file'
  requireInput(header !== '', `${path}: must begin with a header line, got ${empty}`, 'The first line names the columns.')

  const occurrences = (delimiter: string) => header.split(delimiter).length - 1
  const delimiter = [',', ';', '\t', '|'].reduce((best, next) => (occurrences(next) > occurrences(best) ? next : best))
  return { delimiter, newline: newline?.[0] ?? '\n', columns: occurrences(delimiter) + 1 }
}

/** The beginning of the file, up to the first line end outside quotes at least. */
async function readHead(path: string): Promise<string> {
  const file = createReadStream(path)
  const decoder = new TextDecoder() // drops a byte order mark
  let text = ''
  try {
    for await (const bytes of isGzip(path) ? file.compose(createGunzip()) : file) {
      text += decoder.decode(bytes as Uint8Array, { stream: true })
      if (/\n|\r./s.test(withoutQuotes(text)) || text.length > longestHeader) break
    }
  } catch (error) {
    throw fileError(path, error)
  }
  return text
}

const longestHeader = 2 ** 23

/** Quoted cells become one letter, also a cell still open where the text ends. A quote inside a cell is an ordinary character. */
const withoutQuotes = (text: string): string => text.replace(/(^|[,;\t|\r\n])"[^"]*(?:""[^"]*)*(?:"|$)/g, '$1q')

const isGzip = (path: string): boolean => /\.gz$/i.test(path)

async function checkFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  requireInput(found !== undefined, `${path}: must be a file, got nothing there`, 'Check the spelling of the path.')
  requireInput(found.isFile(), `${path}: must be a file, got ${found.isDirectory() ? 'a directory' : 'something else'}`)
  const hint = 'Known endings are .csv, .tsv and .txt, each also with .gz.'
  requireInput(/\.(csv|tsv|txt)(\.gz)?$/i.test(path), `${path}: must be a CSV or TSV file, got another ending`, hint)
  requireInput(found.size > 0, `${path}: must begin with a header line, got an empty file`, 'The first line names the columns.')
}

import { requireInput } from '../core/errors.ts'
import { type Database, readRow } from './duckdb.ts'
import { readHead } from './file-hash.ts'
import type { DataFile } from './files.ts'
import type { OpeningFile } from './opening.ts'
import { type Records, requireNarrow, sqlFile, sqlString, textCells } from './table-file.ts'

/**
 * A file of delimited text with a header, every column text. Everything is said to DuckDB and nothing guessed: its guesses depend on
 * the rows it happens to sample.
 */
export async function csvRecords(file: DataFile, { database }: OpeningFile): Promise<Records> {
  const found = await csvShape(file)
  const shape = { ...found, isQuoted: file.format !== 'tsv' || (await hasQuotedCells(database, file, found)) }
  const { isHeaderless = false, isDecimalComma = false } = file.reading ?? {}
  const whole = readCsv(file, shape, 0)
  const names = (await readRow(database, `FROM ${whole} LIMIT 1`)) as (string | null)[]
  const below = shape.isSkippable ? readCsv(file, shape, 1) : `(FROM ${whole} OFFSET 1)` // the latter uses one thread
  const number = (cell: string) => (isDecimalComma ? withComma(cell) : `TRY_CAST(${cell} AS FLOAT)`)
  return {
    from: isHeaderless ? whole : below,
    columns: names.map((name, i) => ({
      name: (isHeaderless ? undefined : name) ?? `column${i + 1}`,
      value: `c${i}`,
      type: 'text',
      ...textCells(`c${i}`),
      number: number(`c${i}`),
      counted: number(`c${i}`),
      underscore: `contains(c${i}, '_')`,
      isOpen: true,
    })),
  }
}

/** 1.234,5 as a number: points between thousands, and a comma before the rest. */
const withComma = (cell: string): string =>
  `TRY_CAST(CASE WHEN regexp_full_match(trim(${cell}), '[+-]?([0-9]{1,3}(\\.[0-9]{3})+|[0-9]+)(,[0-9]+)?') THEN replace(replace(${cell}, '.', ''), ',', '.') END AS FLOAT)`

function readCsv(
  { path, compression, reading }: DataFile,
  { delimiter, newline, columns, isQuoted }: CsvShape,
  skip: number,
): string {
  const quote = isQuoted ? '"' : ''
  const names = Array.from({ length: columns }, (_, i) => `c${i}: 'VARCHAR'`)
  const missing = reading?.missing ? `nullstr = [${['', ...reading.missing].map(sqlString)}], ` : ''
  return `read_csv(${sqlFile(path)}, auto_detect = false, header = false, skip = ${skip}, hive_partitioning = false, columns = {${names}},
    delim = '${delimiter}', ${missing}quote = '${quote}', escape = '${quote}', new_line = '${JSON.stringify(newline).slice(1, -1)}', compression = '${compression}', buffer_size = ${bufferSize})`
}

const bufferSize = 2 ** 22 // an eighth of DuckDB's own choice: it holds several; no line may be longer

interface CsvShape {
  readonly delimiter: string
  readonly newline: string
  readonly columns: number
  /** Whether a cell may be in quotes. */
  readonly isQuoted: boolean
  /** Whether DuckDB 1.5.6 can skip the header: after a byte order mark it takes an opening quote for a letter, and may lose all rows. */
  readonly isSkippable: boolean
}

/** What the header line tells, outside quotes. The delimiter is the one it has most of; a comma if it has none. */
async function csvShape(file: DataFile): Promise<CsvShape> {
  const isWholeLine = (text: string) => /\n|\r./s.test(withoutQuotes(text)) || text.length > longestHeader
  const head = await readHead(file, isWholeLine)
  const text = withoutQuotes(head)
  const newline = /\r\n|\n|\r/.exec(text)
  const header = newline ? text.slice(0, newline.index) : text
  const got = newline ? 'an empty line' : 'an empty file'
  requireInput(header !== '', `${file.path}: must begin with a header line, got ${got}`, 'The first line names the columns.')

  const occurrences = (delimiter: string) => header.split(delimiter).length - 1
  const delimiters = file.format === 'tsv' ? ['\t'] : [',', ';', '\t', '|']
  const delimiter = delimiters.reduce((best, next) => (occurrences(next) > occurrences(best) ? next : best))
  requireNarrow(file.path, occurrences(delimiter) + 1)
  return {
    delimiter,
    newline: newline?.[0] ?? '\n',
    columns: occurrences(delimiter) + 1,
    isQuoted: true,
    isSkippable: !head.startsWith('\ufeff"'),
  }
}

/**
 * Tabs need no quotes, and some files with tabs have none: there a quote is a letter, and a sentence may begin with one. Quotes
 * are quotes if every cell that begins with one ends with one, or if lines would not have the same number of cells without.
 */
async function hasQuotedCells(database: Database, file: DataFile, shape: CsvShape): Promise<boolean> {
  const isWhole = Array.from(
    { length: shape.columns },
    (_, i) => `coalesce(NOT starts_with(c${i}, '"') OR (length(c${i}) > 1 AND ends_with(c${i}, '"')), true)`,
  )
  const plain = readCsv(file, { ...shape, isQuoted: false }, 0)
  try {
    return (await readRow(database, `SELECT bool_and(${isWhole.join(' AND ')}) FROM ${plain}`))[0] !== false
  } catch {
    return true // and whatever is wrong with the file is said when it is read
  }
}

const longestHeader = 2 ** 23

/** Quoted cells become one letter, also a cell still open where the text ends. A quote inside a cell is an ordinary character. */
function withoutQuotes(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/(^|[,;\t|\r\n])"[^"]*(?:""[^"]*)*(?:"|$)/g, '$1q')
}

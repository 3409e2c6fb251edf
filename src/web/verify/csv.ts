import { requireInput } from '../../core/errors.ts'

/** A file of rows: a text for every cell, null where it is empty. */
export interface CsvTable {
  readonly names: readonly string[]
  column(name: string): readonly (string | null)[]
  readonly rows: number
}

/** Reads CSV and TSV as the command does: the delimiter is the one that the first line has most of, and a cell may be in quotes. */
export function readCsv(text: string): CsvTable {
  const body = text.replace(/^\ufeff/, '')
  const [header = [], ...rows] = linesIn(body, delimiterOf(body))
  requireInput(
    header.length > 0 && header[0] !== '',
    'pool: must begin with a header line, got none',
    'The first line names the columns.',
  )
  const bad = rows.findIndex((row) => row.length !== header.length)
  requireInput(bad < 0, `pool: ${header.length} cells a line are required, got ${rows[bad]?.length} in row ${bad + 1}`)
  return {
    names: header,
    rows: rows.length,
    column(name) {
      const k = header.indexOf(name)
      requireInput(
        k >= 0,
        `pool: a column called ${JSON.stringify(name)} is required, got none`,
        'Is it the file that was audited?',
      )
      return rows.map((row) => (row[k] === '' ? null : row[k]!))
    },
  }
}

function delimiterOf(text: string): string {
  const header = /^(?:"[^"]*(?:""[^"]*)*"|[^\r\n])*/.exec(text)![0].replace(/"[^"]*"/g, '')
  const occurrences = (delimiter: string) => header.split(delimiter).length - 1
  return [',', ';', '\t', '|'].reduce((best, next) => (occurrences(next) > occurrences(best) ? next : best))
}

function linesIn(text: string, delimiter: string): string[][] {
  const cell = new RegExp(`"([^"]*(?:""[^"]*)*)"|([^"${delimiter}\\r\\n][^${delimiter}\\r\\n]*|)`, 'y')
  const lines: string[][] = []
  let line: string[] = []
  for (let at = 0; at < text.length; ) {
    cell.lastIndex = at
    const [whole = '', quoted, plain = ''] = cell.exec(text) ?? []
    line.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    at += whole.length
    const isCell = text.startsWith(delimiter, at)
    if (isCell) {
      at += delimiter.length
      if (at < text.length) continue
      line.push('')
    }
    const end = /\r\n|\n|\r|$/y
    end.lastIndex = at
    const ending = end.exec(text)
    requireInput(ending !== null, `pool: a quoted cell must end where the cell does, got more in row ${lines.length}`)
    at += ending[0].length
    if (line.length > 1 || line[0] !== '') lines.push(line)
    line = []
  }
  return lines
}

import { createReadStream } from 'node:fs'
import { AlisError } from '../../core/errors.ts'
import type { TableColumn } from '../../core/rows.ts'
import type { Inspection } from '../../protocol/start.ts'
import { sheetsIn } from '../../sources/excel.ts'
import { splitReading, withReading } from '../../sources/file-reading.ts'

/** Encodings that texts of spreadsheets are in where they are not in UTF-8, the likeliest first. */
const encodings = {
  'windows-1252': 'Windows, western',
  macintosh: 'Mac',
  'windows-1250': 'Windows, central Europe',
  'windows-1251': 'Windows, Cyrillic',
}

/** Reads a file in the likeliest encoding where it is not in UTF-8: which one is right, people see. */
export async function inOneEncoding<T extends { path: string }>(path: string, read: (path: string) => Promise<T>): Promise<T> {
  try {
    return await read(path)
  } catch (error) {
    const isOther = error instanceof AlisError && / must be UTF-8 text, got other bytes$/.test(error.message)
    if (!isOther || splitReading(path).reading.encoding !== undefined) throw error
    const said = withReading(path, 'encoding', 'windows-1252')
    return { ...(await read(said)), path: said }
  }
}

/** Other ways in which the same file can be read: another sheet, another encoding, numbers with a comma. */
export async function waysToRead(path: string, columns: readonly TableColumn[]): Promise<Inspection['ways']> {
  const { file, reading } = splitReading(path)
  return {
    sheets: /\.xls[xm]$/i.test(file) ? await sheetWays(path, file, reading.sheet) : [],
    encodings: reading.encoding === undefined ? [] : await encodingWays(path, file, reading.encoding),
    ...commaWay(path, columns, reading.isDecimalComma),
  }
}

async function sheetWays(path: string, file: string, chosen: string | undefined): Promise<Inspection['ways']['sheets']> {
  const names = await sheetsIn(file)
  return names.map((name, k) => ({
    text: name,
    path: withReading(path, 'sheet', name),
    isChosen: chosen === undefined ? k === 0 : name === chosen,
  }))
}

/** The first line with a letter beyond ASCII, as each encoding has it; those that say the same are one. */
async function encodingWays(path: string, file: string, chosen: string): Promise<Inspection['ways']['encodings']> {
  const line = await firstOddLine(file)
  if (!line) return []
  const ways = Object.entries(encodings).map(([encoding, name]) => ({
    text: name,
    sample: new TextDecoder(encoding).decode(line).slice(0, 200),
    path: withReading(path, 'encoding', encoding),
    isChosen: encoding === chosen,
  }))
  return ways.filter(({ sample }, k) => ways.findIndex((other) => other.sample === sample) === k)
}

async function firstOddLine(file: string): Promise<Buffer | undefined> {
  let rest = Buffer.alloc(0)
  for await (const chunk of createReadStream(file, { end: 2 ** 23 })) {
    rest = Buffer.concat([rest, chunk as Buffer])
    const at = rest.findIndex((byte) => byte > 0x7f)
    if (at < 0) {
      rest = rest.subarray(rest.lastIndexOf(10) + 1)
      continue
    }
    const end = rest.indexOf(10, at)
    if (end >= 0 || rest.length > at + 4_096) return rest.subarray(rest.lastIndexOf(10, at) + 1, end < 0 ? at + 200 : end)
  }
  const at = rest.findIndex((byte) => byte > 0x7f)
  return at < 0 ? undefined : rest.subarray(rest.lastIndexOf(10, at) + 1)
}

const comma = /^[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+$/

/** Columns whose cells are numbers, but for their comma. */
function commaWay(path: string, columns: readonly TableColumn[], isChosen = false): Pick<Inspection['ways'], 'comma'> {
  const written = columns.filter(
    ({ kind, examples }) =>
      (isChosen || kind === 'text') && examples.length > 0 && examples.every((text) => comma.test(text.trim())),
  )
  if (written.length === 0 && !isChosen) return {}
  const value = isChosen ? 'point' : 'comma'
  return {
    comma: {
      columns: written.map(({ name }) => name),
      example: written[0]?.examples[0] ?? '',
      path: withReading(path, 'decimal', value),
      isChosen,
    },
  }
}

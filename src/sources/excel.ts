import { closing } from '../core/closing.ts'
import { requireInput } from '../core/errors.ts'
import { listed } from '../text/wording.ts'
import { openZip, type Zip } from './zip.ts'

/** The cells of a sheet as written, row by row; empty rows and columns left out. */
export type SheetRows = readonly (readonly string[])[]

/** The names of the sheets in a workbook, in their order. */
export const sheetsIn = (path: string): Promise<string[]> =>
  closing(openZip(path), async (zip) => (await workbookOf(zip, path)).sheets.map(({ name }) => name))

/** One sheet of a workbook; without a name, the first that has cells and is not hidden. */
export async function readSheet(path: string, wanted?: string): Promise<SheetRows> {
  return closing(openZip(path), async (zip) => {
    const book = await workbookOf(zip, path)
    const named = book.sheets.filter(({ name, isHidden }) => (wanted === undefined ? !isHidden : name === wanted))
    const names = book.sheets.map(({ name }) => name)
    requireInput(named.length > 0, `${path}: a sheet called ${listed(names, 'or')} is required, got ${wanted}`)
    const texts = await sharedTexts(zip)
    for (const sheet of named) {
      const rows = tidied(rowsIn(await textOf(zip, sheet.file, path), { texts, where: `${path}: ${sheet.name}`, ...book }))
      if (rows.length > 0) return rows
    }
    return []
  })
}

interface Workbook {
  readonly sheets: readonly { readonly name: string; readonly file: string; readonly isHidden: boolean }[]
  /** Whether days are counted from 1904. */
  readonly isFrom1904: boolean
  /** By style: whether its numbers are dates. */
  readonly dates: readonly boolean[]
}

async function workbookOf(zip: Zip, path: string): Promise<Workbook> {
  const isBook = zip.entries.has('xl/workbook.xml')
  requireInput(isBook, `${path}: must be an Excel workbook, got another archive`, 'Save it as .xlsx or .csv.')
  const book = await textOf(zip, 'xl/workbook.xml', path)
  const links = new Map(
    tags(await textOf(zip, 'xl/_rels/workbook.xml.rels', path), 'Relationship').map((tag) => [
      attribute(tag, 'Id'),
      attribute(tag, 'Target') ?? '',
    ]),
  )
  const sheets = tags(book, 'sheet').flatMap((tag) => {
    const target = links.get(attribute(tag, 'id'))
    const file = target?.startsWith('/') ? target.slice(1) : `xl/${target}`
    return zip.entries.has(file)
      ? [{ name: attribute(tag, 'name') ?? '', file, isHidden: /hidden/i.test(attribute(tag, 'state') ?? '') }]
      : []
  })
  const isFrom1904 = /^(?:1|true)$/.test(tags(book, 'workbookPr').map((tag) => attribute(tag, 'date1904'))[0] ?? '')
  return { sheets, isFrom1904, dates: await datesIn(zip) }
}

async function textOf(zip: Zip, file: string, path: string): Promise<string> {
  const entry = zip.entries.get(file)
  requireInput(entry !== undefined, `${path}: must be a whole workbook, got one without ${file}`)
  return (await zip.read(entry)).toString('utf8')
}

/** Every opening tag of a name, whatever its prefix. */
const tags = (xml: string, name: string): string[] => xml.match(new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])[^>]*>`, 'g')) ?? []

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`[\\s:]${name}="([^"]*)"`).exec(tag)
  return found ? unescaped(found[1]!) : undefined
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Text of XML, with what Excel writes for characters that XML cannot have. */
function unescaped(text: string): string {
  const plain = text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, name) =>
    name ? (named[name] ?? all) : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
  )
  return plain.replace(/_x([\da-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** The texts of runs in a piece of XML, joined; what says how they are pronounced is no part of them. */
function runs(xml: string): string {
  const spoken = xml.replace(/<(?:\w+:)?rPh[\s>][\s\S]*?<\/(?:\w+:)?rPh>/g, '')
  return [...spoken.matchAll(/<(?:\w+:)?t(?:\s[^>]*)?>([\s\S]*?)<\/(?:\w+:)?t>/g)].map(([, text]) => unescaped(text!)).join('')
}

async function sharedTexts(zip: Zip): Promise<string[]> {
  const entry = zip.entries.get('xl/sharedStrings.xml')
  const xml = entry ? (await zip.read(entry)).toString('utf8') : ''
  return [...xml.matchAll(/<(?:\w+:)?si(?:\s[^>]*)?(?:\/>|>([\s\S]*?)<\/(?:\w+:)?si>)/g)].map(([, item]) => runs(item ?? ''))
}

/** Which styles make a number a date: those of Excel itself, and formats of one's own that have days, months or hours. */
async function datesIn(zip: Zip): Promise<boolean[]> {
  const entry = zip.entries.get('xl/styles.xml')
  const xml = entry ? (await zip.read(entry)).toString('utf8') : ''
  const own = new Map(tags(xml, 'numFmt').map((tag) => [attribute(tag, 'numFmtId'), attribute(tag, 'formatCode') ?? '']))
  const used = /<(?:\w+:)?cellXfs[\s>][\s\S]*?<\/(?:\w+:)?cellXfs>/.exec(xml)?.[0] ?? ''
  return tags(used, 'xf').map((tag) => {
    const id = attribute(tag, 'numFmtId') ?? '0'
    const format = own.get(id)?.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')
    return format === undefined ? isDateFormat(Number(id)) : /[ymdhs]/i.test(format) && !/^general$/i.test(format)
  })
}

const isDateFormat = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

interface Reading extends Pick<Workbook, 'isFrom1904' | 'dates'> {
  readonly texts: readonly string[]
  /** The sheet, as errors name it. */
  readonly where: string
}

/** Cells by row and column. The value of a formula is the one that Excel has computed; that of cells that were merged stands in all of them. */
function rowsIn(xml: string, reading: Reading): string[][] {
  const rows: string[][] = []
  for (const [, row = '', content = ''] of xml.matchAll(/<(?:\w+:)?row((?:\s[^>]*?)?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?row>)/g)) {
    const cells: string[] = []
    for (const [, tag, inner = ''] of content.matchAll(/<(?:\w+:)?c((?:\s[^>]*?)?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?c>)/g)) {
      const place = attribute(` ${tag}`, 'r')
      cells[place === undefined ? cells.length : columnOf(place)] = cellText(tag!, inner, reading)
    }
    rows[Number(attribute(` ${row}`, 'r') ?? rows.length + 1) - 1] = Array.from(cells, (cell) => cell ?? '')
  }
  for (const tag of tags(xml, 'mergeCell')) fillMerged(rows, attribute(tag, 'ref') ?? '')
  return rows
}

/** Writes what stands in the first cell of a range into all of them, in rows that have something else too. */
function fillMerged(rows: string[][], range: string): void {
  const [, from, first, to, last] = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(range) ?? []
  if (from === undefined || to === undefined) return
  const [left, right, top, bottom] = [columnOf(from), columnOf(to), Number(first) - 1, Math.min(Number(last), rows.length) - 1]
  const value = rows[top]?.[left] ?? ''
  for (let at = top; at <= bottom; at++) {
    const row = rows[at]
    if (!row?.some((cell, column) => cell !== '' && (at === top || column < left || column > right))) continue
    for (let column = left; column <= right; column++) row[column] = value
    rows[at] = Array.from(row, (cell) => cell ?? '')
  }
}

/** 27 of AB12. */
function columnOf(place: string): number {
  let column = 0
  for (const letter of place.replace(/\d+$/, '')) column = 26 * column + letter.charCodeAt(0) - 64
  return column - 1
}

function cellText(tag: string, inner: string, { texts, isFrom1904, dates, where }: Reading): string {
  const type = attribute(` ${tag}`, 't') ?? 'n'
  if (type === 'inlineStr') return runs(inner)
  const isComputed = !/<(?:\w+:)?f[\s>]/.test(inner) || /<(?:\w+:)?v[\s/>]/.test(inner)
  requireInput(
    isComputed,
    `${where}: cell ${attribute(` ${tag}`, 'r')} must have a value, got a formula that was never computed`,
    'Open it in a spreadsheet program, and save it there.',
  )
  const value = unescaped(/<(?:\w+:)?v(?:\s[^>]*)?>([\s\S]*?)<\/(?:\w+:)?v>/.exec(inner)?.[1] ?? '')
  if (type === 's') return texts[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'true' : value === '' ? '' : 'false'
  if (type === 'e') return ''
  if (type !== 'n' || value === '') return value
  return dates[Number(attribute(` ${tag}`, 's') ?? 0)] ? dateOf(Number(value), isFrom1904) : numberOf(value)
}

/** 2026-03-05, 2026-03-05T14:30:00, or 14:30:00 where there is no day. Excel took 1900 for a leap year. */
function dateOf(serial: number, isFrom1904: boolean): string {
  const days = isFrom1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial
  const time = new Date(Math.round((days - 25_569) * 86_400) * 1_000)
  if (Number.isNaN(time.getTime())) return String(serial)
  const [day, clock] = time.toISOString().slice(0, 19).split('T') as [string, string]
  if (serial >= 0 && serial < 1) return clock
  return clock === '00:00:00' ? day : `${day}T${clock}`
}

/** As Excel shows it, of which no more than 15 digits are sure: 0.3, where a file has 0.30000000000000004. */
const numberOf = (text: string): string => (Number.isFinite(Number(text)) ? String(Number(Number(text).toPrecision(15))) : text)

/** Without rows and columns in which nothing stands, and with as many cells in every row. */
function tidied(rows: readonly (readonly string[])[]): string[][] {
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ''))
  const width = Math.max(0, ...filled.map((row) => row.length))
  const used = Array.from({ length: width }, (_, j) => j).filter((j) => filled.some((row) => (row[j] ?? '').trim() !== ''))
  return filled.map((row) => used.map((j) => row[j] ?? ''))
}

import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'

// Readers of option values. Commander puts the option's name before the message.

export const wholeNumber = wholeFrom(0)
export const positiveWhole = wholeFrom(1)

function wholeFrom(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    const refuse = (what: string) => required(`a whole number${what}`, text)
    if (text.trim() === '' || !Number.isInteger(value)) throw refuse('')
    if (value < least) throw refuse(` of at least ${least}`)
    if (!Number.isSafeInteger(value)) throw refuse(' below 2⁵³')
    return value
  }
}

export function numberIn(low: number, high: number, { open = false } = {}): (text: string) => number {
  return (text) => {
    const value = Number(text)
    const isInside = open ? value > low && value < high : value >= low && value <= high
    if (text.trim() === '' || !isInside) throw required(`a number in ${open ? `(${low}, ${high})` : `[${low}, ${high}]`}`, text)
    return value
  }
}

/** A folder, wherever a command is given from, or a name. */
export const modelPlace = (text: string): string => (existsSync(text) ? resolve(text) : text)

export function positiveNumber(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value < Number.POSITIVE_INFINITY)) throw required('a positive number', text)
  return value
}

/** The least and the largest of something: 1..5. */
export function gradeRange(text: string): readonly [number, number] {
  const [least = '', most = '', ...more] = text.split('..')
  const ends = [least, most].map((end) => (end.trim() === '' ? Number.NaN : Number(end))) as [number, number]
  if (more.length > 0 || !ends.every(Number.isFinite) || ends[0] >= ends[1])
    throw new InvalidArgumentError(`two numbers, the least first, are required, as in 1..5, got ${JSON.stringify(text)}`)
  return ends
}

/** A text, or the file that has it. */
export function promptIn(text: string): string {
  const prompt = !text.includes('\n') && existsSync(text) ? readFileSync(text, 'utf8') : text
  if (prompt.trim() === '') throw required('a prompt', text)
  return prompt
}

/** "x-team: red", with those before. */
export function headerIn(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, name, value] = /^\s*([^:\s]+)\s*:\s*(\S.*?)\s*$/.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError("a name and a value are required, as in 'x-team: red', got something else") // which may be a secret
  return { ...before, [name]: value }
}

export function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {}
  throw required('an object in JSON', text)
}

export function portNumber(text: string): number {
  const port = wholeNumber(text)
  if (port > 65_535) throw required('a port up to 65535', text)
  return port
}

/** Names separated by commas; one that has a comma itself stands in quotes, as in CSV. One that is missing or there twice is a slip. */
export function names(text: string): string[] {
  const cells = text.match(/(?:^|,)\s*(?:"(?:[^"]|"")*"\s*(?=,|$)|[^,]*)/g) ?? []
  const all = cells.map((cell) => unquoted(cell.replace(/^,/, '').trim()))
  const repeated = all.find((name, i) => all.indexOf(name) < i)
  if (all.includes('')) throw required('a name between any two commas', text)
  if (repeated !== undefined)
    throw new InvalidArgumentError(`names that differ are required, got ${JSON.stringify(repeated)} twice`)
  return all
}

const unquoted = (name: string) => (/^".*"$/s.test(name) ? name.slice(1, -1).replaceAll('""', '"') : name)

/** The number of draws a round; `literal` is the paper to the letter, one expected. */
export function batchSize(text: string): number {
  return text === 'literal' ? 1 : positiveWhole(text)
}

export function testSource(text: string): number | string {
  return Number.isNaN(Number(text)) ? text : numberIn(0, 1, { open: true })(text)
}

export function bitsIn(text: string): 8 | 32 {
  if (text !== '8' && text !== '32') throw required('8 or 32', text)
  return text === '8' ? 8 : 32
}

/** A number of bytes: 500MB, 2GiB. */
export function byteNumber(text: string): number {
  const [, digits, prefix = '', binary] = /^\s*(\d+(?:\.\d+)?)\s*(?:([kmgt])(i)?)?b?\s*$/i.exec(text) ?? []
  const size = Number(digits) * (binary ? 1024 : 1000) ** ['', 'k', 'm', 'g', 't'].indexOf(prefix.toLowerCase())
  if (!(size >= leastMemory)) throw required('a size of at least 128MiB', text, ', such as 2GiB')
  return Math.floor(size)
}

const leastMemory = 2 ** 27

const required = (what: string, text: string, more = '') =>
  new InvalidArgumentError(`${what} is required${more}, got ${JSON.stringify(text)}`)

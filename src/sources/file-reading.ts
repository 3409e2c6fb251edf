import { requireInput } from '../core/errors.ts'
import { listed } from '../text/wording.ts'

/** How a file is to be read, where it does not say so itself: what stands behind its name, as in mails.xlsx#sheet=Inbox&header=no. */
export interface FileReading {
  readonly sheet?: string
  /** Of a database. */
  readonly table?: string
  /** Of a dataset in a folder. */
  readonly split?: string
  readonly encoding?: string
  /** Whether numbers are written with a comma: 0,71. */
  readonly isDecimalComma?: true
  /** Whether the first row is one like the others. */
  readonly isHeaderless?: true
  /** What stands for a missing value, beside an empty cell. */
  readonly missing?: readonly string[]
}

const known = ['sheet', 'table', 'split', 'encoding', 'decimal', 'header', 'missing']

/** The name of a file, and what stands behind it. */
export function splitReading(path: string): { readonly file: string; readonly reading: FileReading } {
  const at = path.lastIndexOf('#')
  if (at < 0) return { file: path, reading: {} }
  const options = new URLSearchParams(path.slice(at + 1))
  const unknown = [...options.keys()].find((name) => !known.includes(name))
  requireInput(unknown === undefined, `${path}: ${listed(known, 'or')} is required after #, got ${unknown}`)
  const [sheet, table, split, encoding, missing] = ['sheet', 'table', 'split', 'encoding', 'missing'].map((name) =>
    options.get(name),
  ) as (string | null)[]
  return {
    file: path.slice(0, at),
    reading: {
      ...(sheet && { sheet }),
      ...(table && { table }),
      ...(split && { split }),
      ...(encoding && { encoding: requireEncoding(path, encoding) }),
      ...(choice(path, options, 'decimal', ['comma', 'point']) === 'comma' && { isDecimalComma: true as const }),
      ...(choice(path, options, 'header', ['no', 'yes']) === 'no' && { isHeaderless: true as const }),
      ...(typeof missing === 'string' && { missing: missing.split(',') }),
    },
  }
}

/** The path of a file that is read in another way too. */
export function withReading(path: string, name: (typeof known)[number], value: string): string {
  const at = path.lastIndexOf('#')
  const options = new URLSearchParams(at < 0 ? '' : path.slice(at + 1))
  options.set(name, value)
  return `${at < 0 ? path : path.slice(0, at)}#${options}`
}

function choice(path: string, options: URLSearchParams, name: string, values: readonly string[]): string | undefined {
  const value = options.get(name)
  requireInput(value === null || values.includes(value), `${path}: ${name}=${values.join(' or ')} is required, got ${value}`)
  return value ?? undefined
}

function requireEncoding(path: string, label: string): string {
  try {
    return new TextDecoder(label).encoding
  } catch {
    requireInput(false, `${path}: an encoding such as windows-1252 is required, got ${label}`)
    return label
  }
}

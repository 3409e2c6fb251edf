import { readFileSync } from 'node:fs'
import { AlisError } from '../core/errors.ts'

/** What DuckDB or Node.js says about a file, as one line for the owner of the file. Anything else is a bug and passes through. */
export function fileError(path: string, error: unknown): unknown {
  if (error instanceof AlisError || !(error instanceof Error)) return error
  const text = error.message
  const refuse = (message: string, hint: string) => new AlisError('bad-input', `${path}: ${message}`, hint, { cause: error })

  const line = /CSV Error on Line: (\d+)\n/.exec(text)?.[1]
  if (line) return refuse(...lineError(line, text, path))
  if (/CSV Parser state machine/.test(text)) {
    const hint = 'Save the file again with one kind of line end; put quotes around cells that hold another.'
    return refuse('lines must all end in the same way (\\n, \\r\\n or \\r), got more than one', hint)
  }
  if (/JSON/.test(text)) return refuse(...jsonError(text))
  if (/Parquet|magic bytes|Footer length/i.test(text)) {
    return refuse(
      'must be a whole Parquet file, got something else or only a part',
      'Check that it was written or copied to its end.',
    )
  }
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'EACCES' || code === 'EPERM') return refuse('must be readable, got no permission', 'Ask its owner, or copy it.')
  if (/^(Z_|ZSTD_)/.test(code)) {
    const isCut = /unexpected end/.test(text)
    return refuse(
      `must be ${isCut ? 'a whole compressed file, got only a part' : 'what its ending says, got damaged or other data'}`,
      isCut ? 'Copy or download it again.' : 'Is it compressed at all? If not, take .gz or .zst off its name.',
    )
  }
  if (/^(IO|Invalid Input) Error: /.test(text) || code !== '') {
    return refuse(`must be readable, got "${firstLine(text)}"`, 'Check that the file is whole and that you may read it.')
  }
  return error
}

function encodingHint(path: string): string {
  const encoding = likelyEncoding(readFileSync(path))
  return `It looks like ${encoding}: say so, --encoding ${encoding} or ${path}#encoding=${encoding}.`
}

/** By where letters beyond ASCII lie: Cyrillic text is full of them, and a Mac has them where Windows has signs. */
function likelyEncoding(bytes: Uint8Array): string {
  const [letters, high, low] = [[0x41, 0x7a] as const, [0xc0, 0xff] as const, [0x80, 0x9f] as const].map(
    ([from, to]) => bytes.subarray(0, 2 ** 16).filter((byte) => byte >= from && byte <= to).length,
  ) as [number, number, number]
  if (high > letters) return 'windows-1251'
  return low > 2 * high ? 'macintosh' : 'windows-1252'
}

/** Lines are counted as DuckDB counts them: a line break inside quotes is not a new line. */
function lineError(line: string, text: string, path: string): [message: string, hint: string] {
  const start = /\nOriginal Line: ([^\n]{0,60})/.exec(text)?.[1] ?? ''
  const where = `Look at the line that begins with: ${start}`

  const cells = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(text)
  if (cells) return [`line ${line} must have ${cells[1]} ${cells[1] === '1' ? 'cell' : 'cells'}, got ${cells[2]}`, where]
  if (/unterminated quote/.test(text)) return [`line ${line} must close every quote it opens, got an open one`, where]
  if (/not utf-8 encoded/.test(text)) return [`line ${line} must be UTF-8 text, got other bytes`, encodingHint(path)]
  if (/Maximum line size/.test(text)) return [`line ${line} must be shorter than 4 MB, got more`, `A quote left open? ${where}`]
  return [`line ${line} must be well-formed CSV, got "${start}"`, where]
}

function jsonError(text: string): [message: string, hint: string] {
  const first = /first character is '(.)'/s.exec(text)?.[1]
  if (first)
    return [`must be an array of objects, got something that begins with ${first}`, 'One object per line? Name it .jsonl.']
  if (/byte order mark/.test(text)) return ['must be UTF-8 without a byte order mark, got one', 'Save the file again without it.']
  if (/maximum_object_size/.test(text)) return ['an object must be smaller than 4 MB, got more', 'A bracket left open?']
  const place = /Malformed JSON .* at byte \d+ in (?:line|record\/value) (\d+): ([^\n]*?)\. ?(?:\n|Try|$)/.exec(text)
  if (!place) return [`must be JSON, got "${firstLine(text)}"`, 'Check that the file is whole.']
  const row = Number(place[1]) - 1 // DuckDB counts one too many (1.5.6)
  if (/UTF-8/.test(place[2]!)) return [`row ${row} must be UTF-8 text, got other bytes`, 'Save the file again as UTF-8.']
  return [`row ${row} must be well-formed JSON, got ${place[2]}`, 'Rows are counted from 1, without empty lines.']
}

const firstLine = (text: string): string => text.split('\n')[0]!

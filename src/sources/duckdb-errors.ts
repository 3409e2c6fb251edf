import { AlisError } from '../core/errors.ts'

/** What DuckDB says about a file, as one line for the person who owns the file. Anything else is a bug and passes through. */
export function fileError(path: string, error: unknown): unknown {
  if (error instanceof AlisError || !(error instanceof Error)) return error
  const refuse = (message: string, hint: string) => new AlisError('bad-input', `${path}: ${message}`, hint, { cause: error })

  const line = /CSV Error on Line: (\d+)\n/.exec(error.message)?.[1]
  if (line) return refuse(...lineError(line, error.message))
  if (/CSV Parser state machine/.test(error.message)) {
    return refuse('lines must all end in the same way, got both \\n and \\r\\n', 'Save the file again with one kind of line end.')
  }
  if (/^(IO|Invalid Input) Error: /.test(error.message) || 'code' in error) {
    return refuse(`must be readable, got "${firstLine(error.message)}"`, 'Check that the file is whole and that you may read it.')
  }
  return error
}

/** Lines are counted as DuckDB counts them: a line break inside quotes is not a new line. */
function lineError(line: string, text: string): [message: string, hint: string] {
  const start = /\nOriginal Line: ([^\n]{0,60})/.exec(text)?.[1] ?? ''
  const where = `Look at the line that begins with: ${start}`

  const cells = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(text)
  if (cells) return [`line ${line} must have ${cells[1]} cells, got ${cells[2]}`, where]
  if (/unterminated quote/.test(text)) return [`line ${line} must close every quote it opens, got an open one`, where]
  if (/not utf-8 encoded/.test(text)) return [`line ${line} must be UTF-8 text, got other bytes`, 'Save the file again as UTF-8.']
  if (/Maximum line size/.test(text)) return [`line ${line} must be shorter than 2 MB, got more`, `A quote left open? ${where}`]
  return [`line ${line} must be well-formed CSV, got "${start}"`, where]
}

const firstLine = (text: string): string => text.split('\n')[0]!

import { createReadStream, createWriteStream, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stdin } from 'node:process'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import { requireInput } from '../../core/errors.ts'
import { isClickHouse } from '../../engines/clickhouse/address.ts'
import { splitReading, withReading } from '../../sources/file-reading.ts'
import { names } from './values.ts'

/** How a file is read, where it does not say so itself. */
export interface ReadingOptions {
  readonly encoding?: string
  readonly decimal?: ',' | '.'
  readonly header?: boolean
  readonly missing?: readonly string[]
}

export function withReadingOptions(command: Command): Command {
  return command
    .option('--encoding <name>', 'of text that is not in UTF-8, such as windows-1252')
    .addOption(new Option('--decimal <sign>', 'how numbers are written: 0,71 with a comma').choices([',', '.']))
    .option('--no-header', 'the first row is one like the others; columns are called column1, column2, …')
    .option('--missing <texts>', 'what stands for a missing value, separated by commas, such as NA,?', names)
}

/** A file as it is to be read: what comes on stdin lies in a file of its own until the end, and how it is read stands behind its name. */
export async function asRead(path: string, { encoding, decimal, header, missing }: ReadingOptions): Promise<string> {
  const said = {
    ...(encoding !== undefined && { encoding }),
    ...(decimal !== undefined && { decimal: decimal === ',' ? 'comma' : 'point' }),
    ...(header === false && { header: 'no' }),
    ...(missing !== undefined && { missing: missing.join() }),
  }
  const [first] = Object.keys(said)
  requireInput(
    first === undefined || !isClickHouse(path),
    `--${first}: a file is required, got a table on ClickHouse`,
    'Its columns have types of their own.',
  )
  const file = isStdin(path) ? await spooled(path) : path
  return Object.entries(said).reduce((read, [name, value]) => withReading(read, name as keyof typeof said, value), file)
}

/** Whether a path is what is piped in: stdin, or a process that a shell has put in the place of a file. */
const isStdin = (path: string): boolean => path === '-' || /^\/dev\/(?:stdin|fd\/\d+)$/.test(path)

async function spooled(path: string): Promise<string> {
  const isOwn = path === '-' || path === '/dev/stdin'
  requireInput(!isOwn || !stdin.isTTY, '-: rows are required on stdin, got a terminal', 'Pipe a file in, or name one.')
  const folder = mkdtempSync(join(tmpdir(), 'alis-stdin-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'stdin')
  await pipeline(isOwn ? stdin : createReadStream(path), createWriteStream(file))
  const named = `${file}${endingOf(readFileSync(file).subarray(0, 8))}`
  renameSync(file, named)
  return named
}

/** Content tells the format, where there is no name to tell it. */
function endingOf(head: Buffer): string {
  const text = head.toString('latin1').trimStart()
  if (text.startsWith('PAR1')) return '.parquet'
  if (text.startsWith('ARROW1')) return '.arrow'
  if (text.startsWith('{')) return '.jsonl'
  if (text.startsWith('[')) return '.json'
  const isPacked = head[0] === 0x1f && head[1] === 0x8b
  return isPacked ? '.csv.gz' : '.csv'
}

/** Refuses what cannot be read again, where it must be. */
export function requireToStay(path: string, project: string | undefined): void {
  const { file } = splitReading(path)
  requireInput(
    project === undefined || !isStdin(file),
    `--project: a pool in a file is required, which stays, got ${path}`,
    'Write it to a file first.',
  )
}

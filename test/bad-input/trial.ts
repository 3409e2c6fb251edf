import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openProject } from '../../src/stores/sqlite.ts'
import { alis, jsonLines, type Outcome } from '../command.ts'
import type { BadInput, Content } from './case.ts'
import { differences, stateOf } from './state.ts'
import { type Bench, words } from './stock.ts'

/** What came of a case. */
export interface Trial {
  readonly message: string
  readonly hint: string | undefined
  readonly exit: number | null
  /** What is not as it was. */
  readonly lost: readonly string[]
  /** All that is not as it should be, the above included. */
  readonly complaints: readonly string[]
}

/** Tries a case in a fresh folder below `scratch`, as a program would; stderr has what people read all the same. */
export async function attempt(bad: BadInput, bench: Bench): Promise<Trial> {
  const { scratch, stock } = bench
  const folder = mkdtempSync(join(scratch, 'case-'))
  const [command = '', ...more] = words(bad.command)
  const args = [command, '--json', ...more]
  fill(folder, stock, args, bad.files ?? {})
  const before = await stateOf(folder)
  const outcome = await underConditions(bad, bench, folder, args)
  const lost = differences(before, await stateOf(folder), { mayGrow: bad.hasBegun ?? false })
  rmSync(folder, { recursive: true })

  const { message, hint } = saidIn(outcome, [folder, stock])
  const complaints = [...lost, ...wording(bad, message, hint), ...protocol(bad, outcome)]
  return { message, hint, exit: outcome.code, lost, complaints }
}

/** Makes a folder with what the command names, and then the files of the case. */
export function fill(folder: string, stock: string, args: readonly string[], files: Readonly<Record<string, Content>>): void {
  mkdirSync(folder, { recursive: true })
  const named = new Set([...args.flatMap((arg) => arg.split(' ')), ...Object.keys(files).map((name) => name.split('/')[0]!)])
  for (const name of readdirSync(stock)) if (named.has(name)) cpSync(join(stock, name), join(folder, name), { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    const good = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
    writeFileSync(path, typeof content === 'function' ? content(good) : content)
  }
}

/** Locks and rights are those of a process: what is about them is run in one of its own, as is what waits, so that others need not. */
async function underConditions(
  { while: condition, command }: BadInput,
  { run }: Bench,
  cwd: string,
  args: readonly string[],
): Promise<Outcome> {
  const place = { cwd, timeout: 120_000 } // what is not refused may be a page that waits for people
  if (condition === 'locked') {
    const project = await openProject(join(cwd, words(command).find((word) => word.endsWith('.alis'))!))
    return alis(args, place).finally(() => project.close())
  }
  if (condition === 'read-only') {
    chmodAll(cwd, 0o555)
    return alis(args, { ...place, ...visitor }).finally(() => chmodAll(cwd, 0o755))
  }
  return condition === 'waiting' ? alis(args, place) : run(args, place)
}

/** Root may write anywhere, so it steps down. */
export const visitor = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

function chmodAll(folder: string, mode: number): void {
  const below = readdirSync(folder, { recursive: true }).map((name) => join(folder, `${name}`))
  for (const path of [folder, ...below]) chmodSync(path, mode)
}

/** The message and the hint on stderr, without the folders it happened in. Programs that were started may have said something before. */
export function saidIn({ stderr }: Outcome, folders: readonly string[]): { message: string; hint: string | undefined } {
  const text = folders.reduce((rest, folder) => rest.replaceAll(`${folder}/`, ''), stderr)
  const [, message = text, hint] = /(?:^|\n)alis: (.*?)(?:\n {6}(\S.*))?\n$/s.exec(text) ?? []
  return { message, hint }
}

function wording(bad: BadInput, message: string, hint: string | undefined): string[] {
  const fits = (wanted: string | RegExp | undefined, text: string | undefined) =>
    wanted instanceof RegExp ? wanted.test(text ?? '') : wanted === text
  return complaintsOf({
    [`the message is: ${message}`]: fits(bad.message, message),
    [`the hint is: ${hint}`]: fits(bad.hint, hint),
    'the message is not of our form': /^[^\n]+: [^\n]+, got [^\n]*[^.\n]$/.test(message), // nor has it room for a stack trace
    'the hint is no sentence': hint === undefined || /[.?]$|^Look at .*: /.test(hint),
  })
}

/** What programs rely on: the exit code, and one error in the last line, with no line before it unless work had begun. */
function protocol({ exit = 2, hasBegun = false }: BadInput, { code, stdout, stderr }: Outcome): string[] {
  const lines = isJsonLines(stdout) ? jsonLines(stdout) : []
  const last = lines.at(-1)
  return complaintsOf({
    [`the exit code is ${code}`]: code === exit,
    [`stdout is: ${stdout}`]: last?.type === 'error' && Object.keys(last)[0] === 'type',
    'stdout and stderr differ': [last?.message, last?.hint ?? ''].every((text) => stderr.includes(text)),
    [`the error has code ${last?.code}`]: (last?.code === 'bad-input') === (exit === 2) && last?.code !== 'bug',
    [`there are ${lines.length} lines`]:
      lines.length === 1 || (hasBegun && lines.slice(0, -1).every(({ type }) => type !== 'error')),
  })
}

const complaintsOf = (claims: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(claims).flatMap(([complaint, holds]) => (holds ? [] : [complaint]))

function isJsonLines(text: string): boolean {
  try {
    jsonLines(text)
    return true
  } catch {
    return false
  }
}

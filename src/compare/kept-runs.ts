import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AlisError, requireInput } from '../core/errors.ts'
import { refuseTo } from '../projects/export/write-failures.ts'
import type { RunJob } from './plan.ts'
import type { Run } from './run.ts'

/** What the runs of a directory were made with, under the names that people know them by. Plain data. */
export type Making = Readonly<Record<string, unknown>> & { readonly seed: number }

/** The runs of a comparison on disk: each one safe before the next, so that nothing is done twice. */
export interface KeptRuns {
  find(job: RunJob): Run | undefined
  keep(run: Run): Promise<void>
  close(): Promise<void>
}

const makingFile = (directory: string) => join(directory, 'compare.json')

export async function makingIn(directory: string): Promise<Making | undefined> {
  const path = makingFile(directory)
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Making
  } catch (error) {
    const hint = 'Move the directory away, or name another with --out.'
    throw new AlisError('bad-input', `${path}: must be as a comparison left it, got something else`, hint, { cause: error })
  }
}

/** Opens the directory of a comparison, or begins one. More strategies and more splits may join; anything else must be as it was. */
export async function openKeptRuns(directory: string, making: Making): Promise<KeptRuns> {
  const known = await makingIn(directory)
  if (known) requireSame(directory, known, making)
  else await begin(directory, making)
  const { runs, file } = await openRuns(join(directory, 'runs.jsonl'))
  const byJob = new Map(runs.map((run) => [keyOf(run), run]))
  return {
    find: (job) => byJob.get(keyOf(job)),
    async keep(run) {
      await file.appendFile(`${JSON.stringify(run)}\n`)
      await file.datasync()
      byJob.set(keyOf(run), run)
    },
    close: () => file.close(),
  }
}

const keyOf = ({ strategy, split, seed }: RunJob) => `${strategy}/${split}/${seed}`

async function begin(directory: string, making: Making): Promise<void> {
  const path = makingFile(directory)
  const refuse = refuseTo(directory)
  await mkdir(directory, { recursive: true }).catch(refuse)
  await writeFile(`${path}.new`, `${JSON.stringify(making, null, 2)}\n`, { flush: true }).catch(refuse)
  await rename(`${path}.new`, path).catch(refuse) // whole or not at all
}

function requireSame(directory: string, known: Making, wanted: Making): void {
  const names = [...new Set([...Object.keys(known), ...Object.keys(wanted)])]
  const different = names.find((name) => JSON.stringify(known[name]) !== JSON.stringify(wanted[name]))
  if (different === undefined) return
  const shown = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value))
  requireInput(
    false,
    `${directory}: ${different} must be ${shown(known[different])}, as in the runs it holds, got ${shown(wanted[different])}`,
    'Results of different comparisons do not mix. Name another directory with --out.',
  )
}

/** All whole lines. Half a line, left by a process that was killed, is cut off, so that the next run begins on a line of its own. */
async function openRuns(path: string): Promise<{ runs: Run[]; file: FileHandle }> {
  const file = await open(path, 'a+').catch(refuseTo(path))
  const text = await file.readFile('utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole !== text) await file.truncate(Buffer.byteLength(whole))
  const lines = whole.split('\n').filter((line) => line !== '')
  try {
    return { runs: lines.map((line) => JSON.parse(line) as Run), file }
  } catch (error) {
    await file.close()
    const message = `${path}: one run a line is required, got something else`
    throw new AlisError('bad-input', message, 'Move the directory away, or name another with --out.', { cause: error })
  }
}

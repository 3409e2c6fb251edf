// What people bring that cannot be right: a clear message, the right exit code, and nothing lost. A table of all by `node test/bad-input/main.ts`.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonLines } from '../command.ts'
import { alisHere } from '../in-process.ts'
import { cases } from './cases.ts'
import { fine } from './fine.ts'
import { attemptAll, type Skipped } from './run.ts'
import { type Bench, openBench, words } from './stock.ts'
import { attempt, fill, saidIn, type Trial } from './trial.ts'

let bench: Bench
const trials = new Map<string, Trial | Skipped>()
beforeAll(async () => {
  bench = await openBench(alisHere)
  await attemptAll(cases, bench, ({ name }, trial) => trials.set(name, trial), 1)
}, 300_000)
afterAll(() => bench?.close())

describe('is refused, and nothing is lost', () => {
  it('in every case under a name of its own', () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  })

  it.for(cases)('$name', ({ name }, { skip }) => {
    const trial = trials.get(name)!
    if ('obstacle' in trial) return skip(trial.obstacle)
    expect(trial.complaints).toEqual([])
  })

  it.each([
    ['columns', 'run pool.csv --label Y'],
    ['options', 'run pool.csv --label y --budget 0'],
    ['projects', 'status none.alis'],
    ['results', 'verify nowhere.json --pool predictions.csv'],
  ])('in words only where nobody asked for JSON: %s', async (group, command) => {
    const folder = join(bench.scratch, `words-${group}`)
    fill(folder, bench.stock, words(command), {})
    const outcome = await alisHere(words(command), { cwd: folder })
    const { message, hint } = saidIn(outcome, [folder])
    expect(outcome).toMatchObject({ code: 2, stdout: '' })
    expect(cases.filter((bad) => bad.message === message && bad.hint === hint).length).toBeGreaterThan(0)
  })
})

describe('is fine, and read right', () => {
  it.each(fine)('$name', async ({ files, command, plain }) => {
    const said = async (line: string) => {
      const folder = `${bench.scratch}/fine-${words(line).join('-').replace(/\W/g, '')}`
      fill(folder, bench.stock, words(line), files)
      const { code, stdout, stderr } = await alisHere([...words(line), '--json'], { cwd: folder })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return jsonLines(stdout).map(({ seconds: _, ...line }) => line)
    }
    const [odd, usual] = [await said(command), await said(plain)]
    expect(odd.at(-1).labels).toBe(16)
    expect(odd).toEqual(usual)
  })

  it('10,000 categories share a few features, and the label is still learned', async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => `p${i},c${i},${i % 2},${i % 2 ? 'odd' : 'even'}`)
    const files = { 'odd.csv': ['id,name,last,y', ...rows, ''].join('\n') }
    const folder = `${bench.scratch}/fine-many`
    fill(folder, bench.stock, [], files)
    const learn = 'run odd.csv --label y --category name --test 0.2 --rounds 2 --seed 7 --json'
    const { code, stdout } = await alisHere(words(learn), { cwd: folder })
    expect(code).toBe(0)
    const [begin, ...more] = jsonLines(stdout)
    expect(begin.features).toBeLessThan(5000)
    expect(more.at(-1).test.error).toBe(0)
  })
})

describe('a trial notices', () => {
  const bad = { name: 'x', command: 'status none.alis', message: 'project: a project is required, got none.alis' } as const
  const hint = 'Check the name, or begin a project there.'
  const complaintsOf = async (change: object) => (await attempt({ ...bad, hint, ...change }, bench)).complaints

  it('nothing where all is well', async () => expect(await complaintsOf({})).toEqual([]))

  it.each([
    ['another message', { message: 'project: a project is required, got one' }, 'the message is: '],
    ['another hint', { hint: 'Begin one.' }, 'the hint is: '],
    ['another exit code', { exit: 1 }, 'the exit code is 2'],
    ['input that is not refused', { command: 'status known.alis' }, 'the exit code is 0'],
    ['a project that is left behind', { command: 'run pool.csv --label y --project new.alis' }, 'new.alis was left behind'],
    [
      'a record that has grown',
      { command: 'run pool.csv --label y --rounds 3 --project known.alis' },
      'known.alis/project.sqlite has changed',
    ],
    ['a file that has changed', { command: 'predict model.json pool.csv --out predictions.csv' }, 'predictions.csv has changed'],
  ])('%s', async (_, change, complaint) => {
    expect((await complaintsOf(change)).join('\n')).toContain(complaint)
  })
})

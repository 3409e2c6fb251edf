import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { alis, execute, jsonLines, main, type Outcome, root } from './command.ts'
import { alisHere } from './in-process.ts'

const digits = join(root, 'data/digits.csv')
const folder = mkdtempSync(join(tmpdir(), 'alis-cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]) => alisHere(args)
const learn = (options: string) => run('run', digits, ...options.split(' '))
const lines = ({ stdout }: Outcome) => jsonLines(stdout)

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** The same points in another order of rows. */
function reversed(pool: string): string {
  const [header, ...rows] = readFileSync(pool, 'utf8').trimEnd().split('\n')
  return file('reversed.csv', [header, ...rows.reverse(), ''].join('\n'))
}

/** Three hundred of the digits. */
function few(): string {
  return file('few.csv', readFileSync(digits, 'utf8').split('\n').slice(0, 301).join('\n'))
}

const withoutSeconds = ({ stdout }: Outcome) => stdout.replace(/,"seconds":[\d.]+/g, '')

describe('alis run', () => {
  const binary = ['--label', 'digit', '--positive', '3', '--rounds', '5', '--test', '0.3', '--seed', '7', '--json']

  it('writes one JSON object a line, in the documented form', async () => {
    const outcome = await alis(['run', digits, ...binary])
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
    const all = lines(outcome)
    for (const line of all) expect(Object.keys(line)[0]).toBe('type')
    const rounds = all.filter(({ type }) => type === 'round')
    expect(rounds.map(({ round }) => round)).toEqual([...Array(6).keys()])
    expect(rounds.map(({ labels }) => labels)).toEqual([...Array(6).keys()].map((t) => 10 + 10 * t))
    for (const { draws, estimate, bound, test } of rounds) {
      expect(draws.map(({ order }: { order: number }) => order)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      for (const { id, probability, mass } of draws) {
        expect(id).toMatch(/^d\d{4}$/)
        expect(probability > 0 && probability <= 1 && mass > 0).toBe(true)
      }
      expect(estimate).toMatchObject({ metric: 'error', about: 'model before this round', level: 0.95, answers: 10 })
      expect(bound.value).toBeGreaterThan(bound.constant)
      expect(bound.tightening).toBeCloseTo(bound.mass / bound.uniformMass, 12)
      expect(test.error >= 0 && test.error <= 1 && test.logLoss > 0).toBe(true)
    }
    expect(all.at(-1)).toMatchObject({
      type: 'result',
      labels: 60,
      model: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      seed: 7,
    })
    expect(all.at(-1).test).toEqual(rounds.at(-1).test)
  })

  it.each([
    ['two classes', binary],
    ['ten classes', ['--label', 'digit', '--rounds', '3', '--test', '0.3', '--seed', '7', '--json']],
  ])('is the same to the byte for equal seeds, whatever the order of the file: %s', async (_, args) => {
    const pool = few()
    const first = await run('run', pool, ...args)
    expect(first.code).toBe(0)
    expect(withoutSeconds(await run('run', pool, ...args))).toBe(withoutSeconds(first))
    expect(withoutSeconds(await run('run', reversed(pool), ...args))).toBe(
      withoutSeconds(first).replaceAll('few.csv', 'reversed.csv'),
    )
    const fresh = await run('run', pool, ...args.filter((arg) => arg !== '--seed' && arg !== '7'))
    expect(withoutSeconds(fresh)).not.toBe(withoutSeconds(first))
  })

  it('learns ten classes', async () => {
    const outcome = await learn('--label digit --budget 150 --test 0.3 --seed 1 --json')
    expect(lines(outcome).at(-1).test.error).toBeLessThan(0.2) // nine tenths by guessing
  })

  it('tests on another file', async () => {
    const [header, ...rows] = readFileSync(digits, 'utf8').trimEnd().split('\n')
    const pool = file('pool.csv', [header, ...rows.slice(0, 1000)].join('\n'))
    const test = file('test.csv', [header, ...rows.slice(1000)].join('\n'))
    const outcome = await run('run', pool, '--label', 'digit', '--positive', '0', '--test', test, '--rounds', '3', '--json')
    expect(lines(outcome)[0]).toMatchObject({ type: 'progress', points: 1000, testPoints: 797 })
    expect(lines(outcome).at(-1).test.error).toBeLessThan(0.1)
  })

  it.each([
    'paper',
    'paper-all',
    'paper-replacement',
    'uniform',
    'uncertainty',
    'entropy',
    'margin-rank',
    'expected-loss',
    'alis-audit',
    'core-set',
    'iwal',
    'bmdr',
  ])('offers strategy %s', async (strategy) => {
    const args = ['--label', 'digit', '--positive', '3', '--strategy', strategy, '--rounds', '2', '--json']
    const outcome = await run('run', few(), ...args)
    expect(outcome.code).toBe(0)
    const last = lines(outcome).at(-2)
    expect('estimate' in last).toBe(!['uncertainty', 'core-set', 'bmdr'].includes(strategy))
  })

  it.each(['logistic', 'squared', 'squared-hinge', 'hinge', 'exponential'])('offers loss %s', async (loss) => {
    const outcome = await learn(`--label digit --positive 0 --loss ${loss} --test 0.3 --rounds 4 --seed 1 --json`)
    expect(lines(outcome).at(-1).test.error).toBeLessThan(0.1)
  })

  it('draws one a round when the paper is taken literally', async () => {
    const outcome = await learn('--label digit --positive 3 --strategy paper --batch literal --rounds 40 --seed 3 --json')
    const sizes = lines(outcome)
      .filter(({ type }) => type === 'round')
      .slice(1)
      .map(({ draws }) => draws.length)
    expect(sizes).toContain(0)
    expect(Math.max(...sizes)).toBeLessThan(8)
  })

  it.each([
    ['--learner trees --engine duckdb', 'learner: one that is linear in the features is required where the pool lies, got trees'],
    ['--learner trees --bits 8', 'learner: one that is linear in the features is required'],
    ['--learner trees --loss squared', 'loss: it must be logistic for trees, got squared'],
    ['--loss squared', 'loss: for 10 classes it must be logistic, got squared'],
  ])('refuses %s before a project is begun', async (options, message) => {
    const project = join(folder, 'refused.alis')
    const { code, stderr } = await learn(`--label digit ${options} --budget 20 --project ${project}`)
    expect(stderr).toContain(message)
    expect(code).toBe(2)
    expect(existsSync(project)).toBe(false)
  })

  it('shows people a table and a curve', async () => {
    const { code, stdout } = await learn('--label digit --positive 1,3,5,7,9 --test 0.3 --rounds 5 --seed 7')
    expect(code).toBe(0)
    expect(stdout).toContain(
      'digits.csv: 1,258 points (and 539 to test on), 317 features (61 of the columns, 256 landmarks; 1.5 MiB)',
    )
    expect(stdout).toContain('strategy alis, seed 7')
    expect(stdout).toContain('surely between')
    expect(stdout).not.toContain('paper bound*')
    expect(stdout).toMatch(/Test error \d+\.\d % after 60 labels/)
    expect(stdout).not.toContain('\u001b[') // no colours in a pipe
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(140)
  })
})

describe('bad input', () => {
  const good = ['--label', 'digit', '--json']
  it.each([
    ['no such file', ['run', 'nowhere.csv', ...good], /nowhere\.csv/],
    ['no label column', ['run', digits], /--label/],
    ['unknown column', ['run', digits, '--label', 'digits'], /digits/],
    [
      'unknown positive value',
      ['run', digits, '--label', 'digit', '--positive', 'x'],
      /positive: one of the values of digit is required, got "x"/,
    ],
    [
      'every value positive',
      ['run', digits, '--label', 'digit', '--positive', '0,1,2,3,4,5,6,7,8,9'],
      /must be left over as negative/,
    ],
    ['unknown strategy', ['run', digits, ...good, '--strategy', 'alsi'], /alsi/],
    ['unknown option', ['run', digits, ...good, '--bugdet', '10'], /--bugdet/],
    [
      'rounds and budget',
      ['run', digits, ...good, '--rounds', '3', '--budget', '100'],
      /--rounds: must stand without --budget, got both/,
    ],
    ['a batch of nothing', ['run', digits, ...good, '--batch', '0'], /at least 1 is required, got "0"/],
    ['a share above 1', ['run', digits, ...good, '--test', '1.5'], /a number in \(0, 1\) is required, got "1.5"/],
    ['a seed that is none', ['run', digits, ...good, '--seed', 'lucky'], /a whole number is required, got "lucky"/],
    ['hinge for ten classes', ['run', digits, ...good, '--loss', 'squared-hinge'], /for 10 classes it must be logistic/],
    ['unknown command', ['rum', digits], /rum/],
  ])('%s: a clear message and exit code 2', async (_, args, message) => {
    const { code, stdout, stderr } = await run(...args)
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/at .*\.[jt]s:\d+/) // no stack traces
    expect(code).toBe(2)
    if (args.includes('--json')) expect(JSON.parse(stdout)).toMatchObject({ type: 'error', code: 'bad-input' })
  })

  it.each([
    ['one label only', 'id,x,y\na,1,no\nb,2,no\n', /y: at least two different labels are required, got only "no"/],
    ['repeated ids', 'id,x,y\na,1,no\na,2,yes\n', /id: ids must be unique, got "a" in rows 1 and 2/],
    ['a missing id', 'id,x,y\na,1,no\n,2,yes\n', /id: every row needs an id, got none in row 2/],
    ['nothing to learn from', 'id,x,y\na,u,no\nb,u,yes\n', /features: at least one column to learn from is required/],
  ])('a file with %s', async (name, text, message) => {
    const { code, stderr } = await run('run', file(`${name}.csv`, text), '--label', 'y')
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
  })
})

it('ends a process with 2 and a message on stderr where input is bad', async () => {
  const { code, stdout, stderr } = await alis(['run', digits, '--label', 'digits'])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('Did you mean "digit"?')
})

it('stops on Ctrl-C with 130', async () => {
  let isTold = false
  const { code } = await alis(['run', digits, '--label', 'digit', '--budget', '1700', '--json'], {
    watch(_, pid) {
      if (!isTold) process.kill(pid, 'SIGINT')
      isTold = true
    },
  })
  expect(code).toBe(130)
})

it('helps', async () => {
  const { code, stdout } = await run('run', '--help')
  expect(code).toBe(0)
  expect(stdout).toContain('Examples:')
  expect(stdout).toContain('the default: unsure points')
  expect((await alis(['--version'])).stdout.trim()).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version)
})

/** Packages that a process loads before it ends. */
async function packagesOf(...args: string[]): Promise<string[]> {
  const hook = `import { registerHooks } from 'node:module'
    const urls = new Set()
    registerHooks({ load: (url, context, next) => { urls.add(url); return next(url, context) } })
    process.on('exit', () => console.error('LOADED ' + JSON.stringify([...urls])))`
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`]
  const { stderr } = await execute(process.execPath, [...preload, main, ...args])
  const urls: string[] = JSON.parse(/^LOADED (.*)$/m.exec(stderr)![1]!)
  return [...new Set(urls.flatMap((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []))].sort()
}

it('loads no more than a command line needs', async () => {
  expect(await packagesOf('--help')).toEqual(['commander'])
  const heavy = ['@duckdb/node-api', 'better-sqlite3', 'hono', 'zod']
  const loaded = await packagesOf('run', digits, '--label', 'digit', '--rounds', '1', '--json')
  expect(heavy.filter((name) => loaded.includes(name))).toEqual(['@duckdb/node-api']) // with neither project nor page
})

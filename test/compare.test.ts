import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { alis, jsonLines, type Outcome } from './command.ts'
import { digits } from './digits.ts'
import { alisHere } from './in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-compare-'))
afterAll(() => rmSync(folder, { recursive: true }))

const plan = ['--label', 'digit', '--positive', '1,3,5,7,9', '--seeds', '2', '--budget', '30', '--seed', '3']
const compare = (...args: string[]) => alisHere(['compare', digits, ...plan, ...args])

/** Results without the seconds, which are never the same. */
const results = ({ stdout }: Outcome) =>
  jsonLines(stdout)
    .filter(({ type }) => type === 'result')
    .map(({ secondsPerRound: _, ...result }) => result)

describe('alis compare', () => {
  it('writes one result a strategy in the documented form', async () => {
    const one = await alis(['compare', digits, ...plan, '--strategies', 'alis,uncertainty', '--json'])
    expect(one).toMatchObject({ code: 0, stderr: '' })
    const lines = jsonLines(one.stdout)
    for (const line of lines) expect(Object.keys(line)[0]).toBe('type')
    expect(lines[0]).toMatchObject({ type: 'progress', step: 'begin', seed: 3, points: 1258, testPoints: 539 })
    const found = results(one)
    expect(found.map(({ strategy }) => strategy)).toEqual(['alis', 'uncertainty', 'uniform'])
    for (const { factor, low, high, finalError, averagePrecision, area, curve } of found) {
      expect(low <= factor && factor <= high && low > 0).toBe(true)
      expect(finalError > 0 && finalError < 0.5 && averagePrecision > 0.5 && averagePrecision <= 1 && area > 0).toBe(true)
      expect(curve.map(([labels]: number[]) => labels)).toEqual([10, 20, 30])
    }
    expect(found.map(({ estimateRmse }) => estimateRmse === null)).toEqual([false, true, false])
    expect(found[2]).toMatchObject({ factor: 1, low: 1, high: 1, area: 1, estimateRmse: 1 })
  })

  it('is stopped by Ctrl-C, keeps what is finished, and comes to the same end when told again', async () => {
    const out = join(folder, 'stopped')
    const args = ['--strategies', 'alis,margin-rank,entropy', '--threads', '2']
    const whole = await compare(...args, '--json')
    const runs = () => readFileSync(join(out, 'runs.jsonl'), 'utf8').split('\n').length - 1

    let isTold = false
    const stopped = await alis(['compare', digits, ...plan, ...args, '--out', out, '--json'], {
      watch(said, pid) {
        if (isTold || !said.includes('"step":"run"')) return
        isTold = true
        process.kill(pid, 'SIGINT')
      },
    })
    expect(stopped.code).toBe(130)
    expect(stopped.stderr).toContain('every run so far is kept, and this continues:\n  alis compare')
    const before = runs()
    expect(before).toBeGreaterThanOrEqual(1)
    expect(before).toBeLessThan(8)

    const again = await compare(...args, '--out', out, '--json')
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(runs()).toBe(8)
    expect(results(again)).toEqual(results(whole))

    const csv = readFileSync(join(out, 'results.csv'), 'utf8').trimEnd().split('\n')
    expect(csv).toHaveLength(1 + 8 * 3)
    const page = readFileSync(join(out, 'report.html'), 'utf8')
    expect(page).toContain('href="results.csv"')
    expect(page).not.toMatch(/<script|https?:/)

    const more = await alisHere(['compare', digits, ...plan.slice(0, -2), '--strategies', 'alis', '--out', out, '--json'])
    expect(jsonLines(more.stdout)[0].seed).toBe(3) // what was begun goes on with its seed
    expect(runs()).toBe(8)
  })

  it('tells people in a table, a chart and plain words', async () => {
    const { code, stdout } = await compare('--strategies', 'alis')
    expect(code).toBe(0)
    expect(stdout).toContain('digits.csv: 1,258 points and 539 to test on')
    expect(stdout).toMatch(/^strategy +factor +interval/m)
    expect(stdout).toMatch(/^uniform +1\.00/m)
    expect(stdout).toContain('Test error')
    expect(stdout).toMatch(/^Differences between factors under \d+ % are noise\.$/m)
  })

  it('compares on ten classes, and on a file of its own to test on', async () => {
    const [header, ...rows] = readFileSync(digits, 'utf8').trimEnd().split('\n')
    const file = (name: string, lines: readonly string[]) => {
      writeFileSync(join(folder, name), [header, ...lines, ''].join('\n'))
      return join(folder, name)
    }
    const pool = file('pool.csv', rows.slice(0, 1000))
    const test = file('test.csv', rows.slice(1000))
    const args = ['--label', 'digit', '--test', test, '--seeds', '2', '--budget', '60', '--strategies', 'alis', '--json']
    const outcome = await alisHere(['compare', pool, ...args])
    expect(jsonLines(outcome.stdout)[0]).toMatchObject({ points: 1000, testPoints: 797 })
    for (const { finalError, averagePrecision } of results(outcome)) {
      expect(finalError).toBeLessThan(0.6)
      expect(averagePrecision).toBeNull()
    }
  })

  it('leaves out of all what cannot work with so many features, and refuses it by name', async () => {
    const word = (k: number) => ((k * 2654435761) % 2 ** 32).toString(36)
    const words = Array.from({ length: 80 }, (_, k) => {
      const own = Array.from({ length: 12 }, (_, j) => word(12 * (k >> 1) + j + 1)) // twice each: what comes once is left out
      return [['good', 'bad'][k % 2], ...own].join(' ')
    })
    const texts = join(folder, 'texts.csv')
    writeFileSync(texts, ['text,label', ...words.map((text, k) => `${text},${['yes', 'no'][k % 2]}`), ''].join('\n'))
    const args = [
      'compare',
      texts,
      '--label',
      'label',
      '--text',
      'text',
      '--seeds',
      '2',
      '--start',
      '5',
      '--budget',
      '15',
      '--seed',
      '1',
    ]
    const all = await alisHere([...args, '--strategies', 'all'])
    expect(all.code).toBe(0)
    expect(all.stdout).toContain('left out, they cannot work with so many features: alis-variance, iwal')
    expect(all.stdout).toMatch(/^core-set +\d/m)
    const named = await alisHere([...args, '--strategies', 'iwal'])
    expect(named.code).toBe(2)
    expect(named.stderr).toMatch(/--strategies: those that can work with [\d,]+ features are required, got iwal/)
  })

  it.each([
    [['--strategies', 'uncertanty'], 'is required, got "uncertanty"', 'Did you mean "uncertainty"?'],
    [['--seeds', '1'], '--seeds: at least 2 are required, to tell luck from skill, got 1', ''],
    [['--start', '30'], '--start: fewer labels than the budget of 30 are required, got 30', 'Leave some to choose.'],
    [['--label', 'digits'], '"digits"', '"digit"'],
    [['--threads', '0'], '--threads: a whole number of at least 1 is required, got "0"', ''],
    [['--positive', '11'], 'positive: one of the values of digit is required, got "11"', '"1"'],
    [['--out', digits], 'must be a place to write to', '--out'],
  ])('refuses %j', async (args, message, hint) => {
    const { code, stderr, stdout } = await compare(...args)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
    expect(stderr).toContain(hint)
  })
})

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Certificate } from '../src/questions/certificate.ts'
import { openProject } from '../src/stores/sqlite.ts'
import { jsonLines, type Outcome, root } from './command.ts'
import { alisHere } from './in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-import-'))
const run = (...args: readonly string[]): Promise<Outcome> => alisHere(args, { cwd: folder })
const learnTo = (budget: number, project = 'grows.alis') =>
  run('run', 'first.csv', '--label', 'parity', '--seed', '3', '--budget', `${budget}`, '--project', project, '--json')

/** What must never change: every draw and answer so far. */
async function recordOf(project = 'grows.alis') {
  const opened = await openProject(join(folder, project), { mode: 'read' })
  try {
    return await opened.rounds()
  } finally {
    await opened.close()
  }
}

async function done(outcome: Promise<Outcome>): Promise<Outcome> {
  const { code, stdout, stderr } = await outcome
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return { code, stdout, stderr }
}

beforeAll(() => {
  const all = readFileSync(join(root, 'data/digits.csv'), 'utf8').trimEnd().split('\n')
  const kept = [0, ...[1, 2, 3, 4].flatMap((row) => [2, 3, 4, 5].map((column) => 1 + 8 * row + column)), 65] // 16 pixels are enough
  const few = all.map((line) => line.split(',')).map((cells) => kept.map((k) => cells[k]).join())
  const [names, ...digits] = few as [string, ...string[]]
  const header = names.replace(/digit$/, 'parity')
  const rows = digits.map((row) => row.replace(/[0-9]$/, (digit) => (Number(digit) % 2 ? 'odd' : 'even')))
  const write = (name: string, lines: readonly string[]) => writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
  write('first.csv', [header, ...rows.slice(0, 900)])
  write('second.csv', [header, ...rows.slice(900, 1300)])
  write('third.csv', [header, ...rows.slice(1300)])
  write('narrow.csv', [header.replace('p10,', 'q10,'), ...rows.slice(1300)])
  const labelled = rows.map((row) => `${row.split(',')[0]},${row.split(',').at(-1)}`)
  write('known.csv', ['id,what', ...labelled.slice(0, 80)])
  write('more.csv', ['id,what', ...labelled.slice(80, 200)])
  write('foreign.csv', ['id,what', 'd9999,3'])
  write('odd.csv', ['id,what', 'd0001,seven'])
})
afterAll(() => rmSync(folder, { recursive: true }))

const early = () => JSON.parse(readFileSync(join(folder, 'early.json'), 'utf8')) as Certificate

describe('alis import', () => {
  it('lets points join: the past stays as it was, and the run goes on over all of them', async () => {
    await done(learnTo(60))
    const before = await recordOf()
    const { stdout } = await done(run('import', 'second.csv', '--project', 'grows.alis', '--add', '--json'))
    expect(jsonLines(stdout)).toEqual([{ type: 'result', project: join(folder, 'grows.alis'), points: 400, pool: 1300 }])
    expect(await recordOf()).toEqual(before)

    await done(learnTo(100))
    const after = await recordOf()
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after[before.length]!.survey.points).toBe(1300 - 60)
    const added = after.slice(before.length).flatMap(({ draws }) => draws.filter(({ id }) => id >= 'd0900'))
    expect(added.length).toBeGreaterThan(0)
  })

  it('keeps certificates of the smaller pool true', async () => {
    await done(run('certify', 'grows.alis', '--budget', '40', '--quiet'))
    const certificates = await openProject(join(folder, 'grows.alis'), { mode: 'read' })
    const [kept] = await certificates.certificates()
    await certificates.close()
    writeFileSync(join(folder, 'early.json'), kept!.text)
    await done(run('import', 'third.csv', '--project', 'grows.alis', '--add'))
    await done(run('verify', 'early.json', '--project', 'grows.alis'))
    const [{ questions }] = jsonLines((await done(run('ask', 'grows.alis', '--json'))).stdout)
    expect(questions).toHaveLength(1) // of the pool that was audited last: nothing has been drawn from the larger one
    expect(questions[0]).toMatchObject({ poolSize: 1300, low: early().low, high: early().high })
  })

  it('goes on with an audit over the larger pool, with all answers, and with the question about the smaller one', async () => {
    await done(run('certify', 'grows.alis', '--budget', '30', '--quiet'))
    const again = await openProject(join(folder, 'grows.alis'), { mode: 'read' })
    const [, text] = (await again.certificates()).map((each) => each.text)
    await again.close()
    writeFileSync(join(folder, 'late.json'), text!)
    const late = JSON.parse(text!)
    expect([early().pool.size, late.pool.size, late.answers]).toEqual([1300 - 100, 1797 - 100, 40 + 30])
    expect(late.questions.map(({ question: { poolSize } }: Certificate['questions'][number]) => poolSize)).toEqual([1797, 1300])
    expect(late.claim).toContain('in the pool of 1,797 points')
    for (const file of ['early.json', 'late.json']) await done(run('verify', file, '--project', 'grows.alis'))

    const [asked] = jsonLines((await done(run('ask', 'grows.alis', '--each-pool', '--json'))).stdout)
    expect(
      asked.questions.map(({ poolSize, answers }: { poolSize: number; answers: number }) => [poolSize, answers > 0]),
    ).toEqual([
      [1797, true],
      [1300, true],
      [900, true], // a slice like any other, though it was not asked about before
    ])
    const { stdout } = await done(run('ask', 'grows.alis', '--each-pool'))
    expect(stdout).toContain('error in the pool of 1,300 points')
    expect(stdout).toContain('With 95 % confidence, in the pool of 1,797 points, ')
  })

  it('takes labels that nobody drew, says what that means, and exports them with probability 1', async () => {
    const { stdout } = await done(run('import', 'known.csv', '--project', 'grows.alis', '--labels', 'what'))
    expect(stdout).toMatch(/^\d+ labels joined/)
    expect(stdout).toContain('Nobody drew them, so they say nothing about other points')
    await done(learnTo(200))
    await done(run('export', 'grows.alis', '--only', 'labels', '--out', 'out', '--format', 'jsonl'))
    const rows = jsonLines(readFileSync(join(folder, 'out/labels.jsonl'), 'utf8'))
    const given = rows.filter(({ annotator }) => annotator === 'known.csv')
    expect(given.length).toBeGreaterThan(50)
    expect(new Set(given.map(({ probability }) => probability))).toEqual(new Set([1]))
    const status = jsonLines((await done(run('status', 'grows.alis', '--check', '--json'))).stdout)[0]
    expect(status.pool).toMatchObject({
      points: 1797,
      file: 'unchanged',
      added: [join(folder, 'second.csv'), join(folder, 'third.csv')],
    })
  })

  it('also with the first run, from a column of the pool', async () => {
    const rows = Array.from(
      { length: 300 },
      (_, i) => `n${i},${i % 7},${(i * 13) % 11},${i < 40 ? (i % 2 ? 'yes' : 'no') : ''},${i % 2 ? 'yes' : 'no'}`,
    )
    writeFileSync(join(folder, 'partly.csv'), ['id,x,y,said,truth', ...rows, ''].join('\n'))
    const args = [
      'run',
      'partly.csv',
      '--label',
      'truth',
      '--given',
      'said',
      '--budget',
      '20',
      '--project',
      'partly.alis',
      '--quiet',
    ]
    await done(run(...args))
    const rounds = await recordOf('partly.alis')
    expect(rounds.map(({ stream, answers }) => [stream, answers.size])).toEqual([
      ['given/0', 40],
      ['learn/0', 10],
      ['learn/1', 10],
    ])
    expect((await done(run(...args))).stdout).toContain('20 labels')
  })

  it.each([
    [
      'points that are there already',
      ['second.csv', '--add'],
      'second.csv: points must be new, got "d0900" in row 1, which is in the pool',
    ],
    ['a file without a column that is needed', ['narrow.csv', '--add'], 'narrow.csv: a column "p10" is required, got '],
    [
      'a point that is none',
      ['foreign.csv', '--labels', 'what'],
      'foreign.csv: every id must be that of a point in the pool, got "d9999"',
    ],
    ['a label that is no class', ['odd.csv', '--labels', 'what'], 'got "seven" for "d0001"'],
    ['a column that is not there', ['known.csv', '--labels', 'waht'], 'known.csv: a column "waht" is required, got id, what'],
    ['nothing to do', ['known.csv'], 'import: --add or --labels is required, got neither'],
  ])('refuses %s, and nothing changes', async (_, args, message) => {
    const before = await recordOf()
    const { code, stderr } = await run('import', ...args, '--project', 'grows.alis')
    expect(stderr).toContain(message)
    expect(code).toBe(2)
    expect(await recordOf()).toEqual(before)
  })

  it('refuses labels in the midst of a round of an audit, and takes them when it is closed', async () => {
    await done(run('certify', 'grows.alis', '--tolerance', '0.1', '--batch', '100', '--quiet')) // reached before its end
    const before = await recordOf()
    expect(before.at(-1)).toMatchObject({ stream: expect.stringMatching(/^audit/), isClosed: false })
    const give = () => run('import', 'more.csv', '--project', 'grows.alis', '--labels', 'what')
    const { code, stderr } = await give()
    expect(stderr).toContain('labels: the round that is open must be finished first')
    expect(stderr).toContain('Finish or close the open round first')
    expect(code).toBe(2)
    expect(await recordOf()).toEqual(before)
    await done(learnTo(210))
    await done(give())
    expect((await recordOf()).at(-1)).toMatchObject({ stream: expect.stringMatching(/^given/), isClosed: true })
  })

  it('gives labels to an audit of predictions, which counts them as known; grades too', async () => {
    const audits = [
      {
        name: 'guesses',
        columns: ['--prediction', 'said', '--confidence', 'p', '--metric', 'error,recall:yes'],
        said: 'yes',
        other: 'no',
      },
      { name: 'grades', columns: ['--score', 'said', '--range', '1..5'], said: '4', other: '2' },
    ]
    for (const { name, columns, said, other } of audits) {
      const rows = Array.from({ length: 120 }, (_, i) => ({ id: `g${i}`, y: i % 5 === 0 ? other : said }))
      const write = (file: string, header: string, lines: readonly string[]) =>
        writeFileSync(join(folder, file), [header, ...lines, ''].join('\n'))
      write(
        `${name}.csv`,
        'id,said,p,y',
        rows.map(({ id, y }) => [id, said, 0.8, y].join()),
      )
      const wrong = rows.filter(({ y }) => y === other).slice(0, 12)
      write(
        `${name}-known.csv`,
        'id,what',
        wrong.map(({ id, y }) => `${id},${y}`),
      )
      write(`${name}-odd.csv`, 'id,what', [`g1,${said}`, 'g2,9'])
      const audit = (budget: number) =>
        run(
          'audit',
          `${name}.csv`,
          ...columns,
          '--truth',
          'y',
          '--budget',
          `${budget}`,
          '--batch',
          '10',
          '--seed',
          '1',
          '--project',
          `${name}.alis`,
          '--certificate',
          `${name}.json`,
          '--json',
        )
      const give = (file: string) => run('import', file, '--project', `${name}.alis`, '--labels', 'what', '--json')
      await done(audit(20))
      const before = await recordOf(`${name}.alis`)
      expect((await give('foreign.csv')).stderr).toContain('pool: a point named "d9999" is required, got none')
      expect((await give(`${name}-odd.csv`)).stderr).toContain('got "9" for "g2"')
      expect((await run('import', 'second.csv', '--project', `${name}.alis`, '--add')).code).toBe(2)
      expect(await recordOf(`${name}.alis`)).toEqual(before)

      const [{ labels, drawn, left }] = jsonLines((await done(give(`${name}-known.csv`))).stdout)
      expect([labels + drawn, left]).toEqual([12, 120 - 20 - labels])
      expect(jsonLines((await done(audit(40))).stdout).at(-1)).toMatchObject({ answers: 40, pool: 120 })
      const { claim } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Certificate
      expect(claim).toContain(`, and on ${labels} answers known without a draw`)
      for (const where of [
        ['--pool', `${name}.csv`],
        ['--project', `${name}.alis`],
      ])
        await done(run('verify', `${name}.json`, ...where))
    }
  })

  it('refuses to add to a pool whose points are known by row number', async () => {
    writeFileSync(
      join(folder, 'plain.csv'),
      ['x,y', ...Array.from({ length: 60 }, (_, i) => `${i % 9},${i % 2 ? 'a' : 'b'}`), ''].join('\n'),
    )
    await done(run('run', 'plain.csv', '--label', 'y', '--budget', '10', '--project', 'plain.alis', '--quiet'))
    const { code, stderr } = await run('import', 'plain.csv', '--project', 'plain.alis', '--add')
    expect(stderr).toContain('plain.csv: a column of ids is required to add points, got row numbers')
    expect(code).toBe(2)
  })
})

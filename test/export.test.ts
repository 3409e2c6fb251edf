import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTable } from '../src/sources/duckdb-file.ts'
import { tableBytes } from '../src/sources/write-table.ts'
import { openProject } from '../src/stores/sqlite.ts'
import { lureWeights } from '../src/weights/lure.ts'

const root = new URL('..', import.meta.url).pathname
const main = join(root, 'dist/cli/main.js')
const folder = mkdtempSync(join(tmpdir(), 'alis-export-'))
const digits = join(folder, 'digits.csv')
copyFileSync(join(root, 'data/digits.csv'), digits)
afterAll(() => rmSync(folder, { recursive: true }))

interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

const exec = (program: string, args: readonly string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile(program, args, { cwd: folder, maxBuffer: 1e8 }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err })
    })
  })

const alis = (command: string): Promise<Outcome> => exec(process.execPath, [main, ...command.split(' ')])

async function succeed(command: string): Promise<string> {
  const { code, out, err } = await alis(command)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

type Row = Record<string, string | null>

/** A table as our own reader has it: every cell as written. */
async function rowsOf(file: string): Promise<Row[]> {
  const table = await openTable(join(folder, file))
  const columns = await Promise.all(table.columns.map(async ({ name }) => ({ name, cells: await table.strings(name) })))
  await table.close()
  return Array.from({ length: table.rows }, (_, i) => Object.fromEntries(columns.map(({ name, cells }) => [name, cells[i]!])))
}

const json = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
const lines = (file: string) =>
  readFileSync(join(folder, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const truthOf = async () => new Map((await rowsOf('digits.csv')).map(({ id, digit }) => [id, digit]))
const toMeanOne = (weights: ArrayLike<number>) => {
  const all = Array.from(weights)
  return all.map((weight) => (weight * all.length) / all.reduce((a, b) => a + b, 0))
}

describe('a project on the digits', () => {
  let testError = 0
  beforeAll(async () => {
    const out = await succeed('run digits.csv --label digit --rounds 3 --test 0.3 --seed 7 --project digits.alis --json')
    testError = JSON.parse(out.trimEnd().split('\n').at(-1)!).test.error
    await succeed('export digits.alis')
  })

  it('exports every part that there is, beside the project', () => {
    expect(readdirSync(join(folder, 'digits-export')).sort()).toEqual([
      'label-studio.json',
      'label-studio.xml',
      'labels.csv',
      'model.json',
      'predictions.csv',
      'prodigy.jsonl',
    ])
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([])
  })

  it('labels have what the record has, and the weights of LURE', async () => {
    const rows = await rowsOf('digits-export/labels.csv')
    const truth = await truthOf()
    expect(Object.keys(rows[0]!)).toEqual(['id', 'label', 'round', 'order', 'probability', 'weight', 'annotator', 'time'])
    expect(rows.map(({ round, order }) => `${round}/${order}`)).toEqual(
      [0, 1, 2, 3].flatMap((round) => Array.from({ length: 10 }, (_, k) => `${round}/${k + 1}`)),
    )
    for (const { id, label } of rows) expect(label).toBe(truth.get(id!))
    const project = await openProject(join(folder, 'digits.alis'), { mode: 'read' })
    const draws = (await project.rounds()).flatMap((round) => round.draws)
    await project.close()
    expect(rows.map(({ id, probability }) => ({ id, probability: Number(probability) }))).toEqual(
      draws.map(({ id, probability }) => ({ id, probability })), // to the last bit
    )
    const pool = 1797 - Math.round(0.3 * 1797)
    const weights = toMeanOne(
      lureWeights(
        draws.map(({ probability }) => probability),
        pool,
      ),
    )
    for (const [k, { weight }] of rows.entries()) expect(Number(weight)).toBeCloseTo(weights[k]!, 12)
  })

  it('predictions cover the pool: people where they answered, the model elsewhere', async () => {
    const labels = new Map((await rowsOf('digits-export/labels.csv')).map(({ id, label }) => [id, label]))
    const rows = await rowsOf('digits-export/predictions.csv')
    expect(rows.length).toBe(1797 - Math.round(0.3 * 1797))
    const byPeople = rows.filter(({ source }) => source === 'person')
    expect(byPeople.map(({ id, prediction, confidence }) => [id, prediction, confidence]).sort()).toEqual(
      [...labels].map(([id, label]) => [id, label, '1.0']).sort(),
    )
    for (const { source, confidence } of rows.filter((row) => row.source !== 'person')) {
      expect(source).toBe('model')
      expect(Number(confidence)).toBeGreaterThanOrEqual(0.1) // the likeliest of ten
      expect(Number(confidence)).toBeLessThanOrEqual(1)
    }
  })

  it('the exported model predicts what the model of the run did, rows it never saw included', async () => {
    await succeed('predict digits-export/model.json digits.csv --out again.csv')
    const again = await rowsOf('again.csv')
    const truth = await truthOf()
    const exported = new Map((await rowsOf('digits-export/predictions.csv')).map((row) => [row.id!, row]))
    const aside = again.filter(({ id }) => !exported.has(id!))
    expect(aside.filter(({ id, prediction }) => prediction !== truth.get(id!)).length / aside.length).toBe(testError)
    for (const { id, prediction, confidence } of again) {
      const before = exported.get(id!)
      if (before?.source === 'model')
        expect({ prediction, confidence }).toEqual({ prediction: before.prediction, confidence: before.confidence })
    }
  })

  it('JSONL and Parquet say the same as CSV', async () => {
    const plain = (rows: Row[]) => rows.map((row) => Object.values(row).map((cell) => (cell === '1.0' ? '1' : cell)))
    const result = JSON.parse(await succeed('export digits.alis --format jsonl --out as-jsonl --only labels,predictions --json'))
    expect(result).toEqual({
      type: 'result',
      out: join(folder, 'as-jsonl'),
      files: [
        { file: 'labels.jsonl', rows: 40 },
        { file: 'predictions.jsonl', rows: 1258 },
      ],
    })
    await succeed('export digits.alis --format parquet --out as-parquet --only labels,predictions')
    for (const part of ['labels', 'predictions']) {
      const rows = plain(await rowsOf(`digits-export/${part}.csv`))
      expect(plain(await rowsOf(`as-jsonl/${part}.jsonl`))).toEqual(rows)
      expect(plain(await rowsOf(`as-parquet/${part}.parquet`))).toEqual(rows)
    }
  })

  it('a directory with files in it is refused, and left alone but for the same names with --force', async () => {
    await succeed('export digits.alis --out mine --only model')
    writeFileSync(join(folder, 'mine/notes.txt'), 'mine')
    writeFileSync(join(folder, 'mine/model.json'), 'old')
    expect(await alis('export digits.alis --out mine')).toMatchObject({
      code: 2,
      err: expect.stringContaining('a new or empty directory is required, got one with 2 files'),
    })
    expect(readFileSync(join(folder, 'mine/model.json'), 'utf8')).toBe('old')
    await succeed('export digits.alis --out mine --only model --force')
    expect(json('mine/model.json').type).toBe('alis-model')
    expect(readFileSync(join(folder, 'mine/notes.txt'), 'utf8')).toBe('mine')
  })

  it('a place that cannot be written is refused', async () => {
    expect(await alis('export digits.alis --out digits.csv')).toMatchObject({
      code: 2,
      err: expect.stringContaining('must be a place to write to, got "ENOTDIR'),
    })
    expect(await alis('predict digits-export/model.json digits.csv --out nowhere/at/all.csv')).toMatchObject({
      code: 2,
      err: expect.stringContaining('must be a place to write to, got "ENOENT'),
    })
  })

  it('what is not there cannot be asked for', async () => {
    expect(await alis('export digits.alis --only certificates --out none')).toMatchObject({
      code: 2,
      err: expect.stringContaining('must have a certificate to export certificates, got none yet'),
    })
    expect(await alis('export digits.alis --only lables')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean "labels"?'),
    })
    expect(existsSync(join(folder, 'none'))).toBe(false)
  })

  it('a pool that changed is refused before anything is written; one that moved is found with --pool', async () => {
    const text = readFileSync(digits, 'utf8')
    copyFileSync(digits, join(folder, 'moved.csv'))
    try {
      for (const changed of [text.replace('d0001,', 'd9999,'), text.replace('digit\n', 'number\n')]) {
        writeFileSync(digits, changed)
        expect(await alis('export digits.alis --out changed')).toMatchObject({
          code: 2,
          err: expect.stringContaining('the pool must be as it was when the project began'),
        })
        expect(readdirSync(folder).filter((name) => name.startsWith('changed'))).toEqual([])
      }
      rmSync(digits)
      await succeed('export digits.alis --out without-pool --only labels,model')
      await succeed('export digits.alis --out with-moved --only predictions --pool moved.csv')
    } finally {
      writeFileSync(digits, text)
    }
    expect(await rowsOf('with-moved/predictions.csv')).toEqual(await rowsOf('digits-export/predictions.csv'))
  })

  it('a model that was changed is refused: weights, recipe, and anything else', async () => {
    const whole = json('digits-export/model.json')
    expect(Object.keys(whole)).toEqual(['type', 'version', 'model', 'recipe', 'seal'])
    const refused = async (content: unknown, message: string) => {
      writeFileSync(join(folder, 'tampered.json'), typeof content === 'string' ? content : JSON.stringify(content))
      expect(await alis('predict tampered.json digits.csv')).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining(message),
      })
    }
    const { model, recipe } = whole
    const [[first, ...weights], ...others] = model.weights
    await refused({ ...whole, model: { ...model, weights: [[first + 1, ...weights], ...others] } }, 'content must match its id')
    const [part, ...parts] = recipe.parts
    await refused({ ...whole, recipe: { ...recipe, parts: [{ ...part, mean: part.mean + 1 }, ...parts] } }, 'must match its seal')
    await refused({ ...whole, version: 2 }, 'version must be 1, got 2')
    await refused({ type: 'other' }, 'a model that alis export wrote is required')
    await refused('not JSON', 'a model that alis export wrote is required')
    expect(await alis('predict missing.json digits.csv')).toMatchObject({
      code: 2,
      err: expect.stringContaining('got no such file'),
    })
  })

  it('the Python of the guide trains scikit-learn with the weights', async ({ skip }) => {
    const python = '/usr/bin/python3'
    if (!existsSync(python) || (await exec(python, ['-c', 'import sklearn'])).code !== 0) skip('scikit-learn is not installed')
    const guide = readFileSync(join(root, 'docs/guides/export.md'), 'utf8')
    const code = /```python\n([\s\S]*?)```/.exec(guide)![1]!
    await succeed('run digits.csv --label digit --budget 300 --seed 5 --project scans.alis --json')
    await succeed('export scans.alis --only labels')
    const { code: exit, out, err } = await exec(python, ['-c', code])
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    const [, labels, wrong, rest] = /^(\d+) labels, ([\d.]+)% of the other (\d+) wrong\n$/.exec(out)!.map(Number)
    expect([labels, rest]).toEqual([300, 1497])
    expect(wrong).toBeGreaterThan(0)
    expect(wrong).toBeLessThan(15) // guessing is 90
  })
})

describe('a project on texts, with answers from a program', () => {
  const texts = Array.from({ length: 60 }, (_, i) => {
    const isSpam = i % 3 === 0
    const said = isSpam ? `You "won", claim prize ${i} now!\nCall, call` : `See you at lunch, ${i % 7} pm; it's fine`
    return { name: `m"${i},`, body: said, kind: isSpam ? 'spam, rot' : 'ham' }
  })
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
  const program = join(folder, 'answer.mjs')
  const learnFrom = `mails.csv --id name --text body --show body --ignore kind`

  beforeAll(() => {
    const rows = texts.map(({ name, body, kind }) => [name, body, kind].map(quoted).join(','))
    writeFileSync(join(folder, 'mails.csv'), ['name,body,kind', ...rows, ''].join('\n'))
    // Answers as many questions as its argument says, the third of them with "cannot tell", and then gives up.
    writeFileSync(
      program,
      `#!${process.execPath}
import { createInterface } from 'node:readline'
let left = Number(process.argv[2])
for await (const line of createInterface({ input: process.stdin })) {
  if (left-- === 0) process.exit(1)
  const { id, fields } = JSON.parse(line)
  const label = id === 'm"30,' ? null : fields.body.startsWith('You "won"') ? 'spam, rot' : 'ham'
  console.log(JSON.stringify({ id, label }))
}
`,
    )
    chmodSync(program, 0o755)
  })

  const learn = (answers: number, rounds: number) =>
    exec(process.execPath, [
      main,
      'run',
      ...learnFrom.split(' '),
      '--classes',
      'ham,spam, rot'.replace(', ', ' '),
      '--oracle-command',
      `${program} ${answers}`,
      '--start',
      '30',
      '--rounds',
      `${rounds}`,
      '--seed',
      '3',
      '--project',
      'mails.alis',
      '--json',
    ])
  void learn
})

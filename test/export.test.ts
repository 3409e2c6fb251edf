import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTable } from '../src/sources/duckdb-file.ts'
import { openProject } from '../src/stores/sqlite.ts'
import { lureWeights } from '../src/weights/lure.ts'
import { execute, jsonLines, root } from './command.ts'
import { alisHere } from './in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-export-'))
const digits = join(folder, 'digits.csv')
copyFileSync(join(root, 'data/digits.csv'), digits)
afterAll(() => rmSync(folder, { recursive: true }))

const run = (args: readonly string[]) => alisHere(args, { cwd: folder })
const alis = (command: string) => run(command.split(' '))

async function succeed(command: string): Promise<string> {
  const { code, stdout, stderr } = await alis(command)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
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
const lines = (file: string) => jsonLines(readFileSync(join(folder, file), 'utf8'))
const truthOf = async () => new Map((await rowsOf('digits.csv')).map(({ id, digit }) => [id, digit]))
const toMeanOne = (weights: ArrayLike<number>) => {
  const all = Array.from(weights)
  return all.map((weight) => (weight * all.length) / all.reduce((a, b) => a + b, 0))
}

it('an audit hands over its answers and its certificate', async () => {
  const rows = Array.from({ length: 40 }, (_, k) => `m${k},${k % 4 === 0 ? 'spam' : 'ham'},${k % 5 === 0 ? 'spam' : 'ham'}`)
  writeFileSync(join(folder, 'guesses.csv'), ['id,guess,truth', ...rows, ''].join('\n'))
  await succeed('audit guesses.csv --prediction guess --truth truth --budget 12 --seed 3 --project guesses.alis --json')
  const { files } = JSON.parse(await succeed('export guesses.alis --json'))
  expect(files).toEqual([{ file: 'labels.csv', rows: 12 }, { file: expect.stringMatching(/^certificates\//) }])
  const labels = await rowsOf('guesses-export/labels.csv')
  const truth = new Map((await rowsOf('guesses.csv')).map(({ id, truth }) => [id, truth]))
  expect(labels.map(({ id, label }) => [id, label])).toEqual(labels.map(({ id }) => [id, truth.get(id!)]))
  await succeed(`verify guesses-export/${files[1].file} --pool guesses.csv`)
  expect(await alis('export guesses.alis --only model --force')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('must have a pool to learn from to export model, got an audit'),
  })
})

describe('a project on the digits', () => {
  let testError = 0
  beforeAll(async () => {
    const stdout = await succeed('run digits.csv --label digit --rounds 3 --test 0.3 --seed 7 --project digits.alis --json')
    testError = jsonLines(stdout).at(-1).test.error
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

  it('columns of probabilities keep the order of the classes, also where they are numbers', async () => {
    const [header] = (await succeed('predict digits-export/model.json digits.csv --probabilities')).split('\n')
    expect(header).toBe('id,prediction,confidence,0,1,2,3,4,5,6,7,8,9')
  })

  it('JSONL and Parquet say the same as CSV', async () => {
    const isTime = (cell: string | null) => cell !== null && /^\d{4}-\d{2}-\d{2}T/.test(cell) // of Parquet without zeros at the end
    const same = (cell: string | null) => (cell === '1.0' ? '1' : isTime(cell) ? new Date(cell!).toISOString() : cell)
    const plain = (rows: Row[]) => rows.map((row) => Object.values(row).map(same))
    const result = JSON.parse(await succeed('export digits.alis --format jsonl --out as-jsonl --only labels,predictions --json'))
    expect(result).toEqual({
      type: 'result',
      out: join(folder, 'as-jsonl'),
      files: [
        { file: 'labels.jsonl', rows: 40 },
        { file: 'predictions.jsonl', rows: 1258 },
      ],
      model: { id: expect.stringMatching(/^sha256:/), after: expect.any(Number), certificate: null, isNewest: true },
    })
    await succeed('export digits.alis --format parquet --out as-parquet --only labels,predictions')
    for (const part of ['labels', 'predictions']) {
      const rows = plain(await rowsOf(`digits-export/${part}.csv`))
      expect(plain(await rowsOf(`as-jsonl/${part}.jsonl`))).toEqual(rows)
      expect(plain(await rowsOf(`as-parquet/${part}.parquet`))).toEqual(rows)
    }
  })

  it('a place that cannot be written is refused', async () => {
    expect(await alis('export digits.alis --out digits.csv')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('must be a place to write to, got "ENOTDIR'),
    })
    expect(await alis('predict digits-export/model.json digits.csv --out nowhere/at/all.csv')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('must be in a directory, got none called nowhere'),
    })
  })

  it('what is not there cannot be asked for', async () => {
    expect(await alis('export digits.alis --only certificates --out none')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('must have a certificate to export certificates, got none yet'),
    })
    expect(await alis('export digits.alis --only lables')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "labels"?'),
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
          stderr: expect.stringContaining('the pool must be as it was when the project began'),
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

  it('a model that was changed is refused', async () => {
    const changed = readFileSync(join(folder, 'digits-export/model.json'), 'utf8').replace('"mean":', '"mean":1')
    writeFileSync(join(folder, 'tampered.json'), changed)
    expect(await alis('predict tampered.json digits.csv')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('must match its seal'),
    })
  })

  it('the Python of the guide trains scikit-learn with the weights', async ({ skip }) => {
    const python = '/usr/bin/python3'
    if (!existsSync(python) || (await execute(python, ['-c', 'import sklearn'])).code !== 0) skip('scikit-learn is not installed')
    const guide = readFileSync(join(root, 'docs/guides/export.md'), 'utf8')
    const code = /```python\n([\s\S]*?)```/.exec(guide)![1]!
    await succeed('run digits.csv --label digit --budget 300 --seed 5 --project scans.alis --json')
    await succeed('export scans.alis --only labels')
    const { code: exit, stdout, stderr } = await execute(python, ['-c', code], { cwd: folder })
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    const [, labels, wrong, rest] = /^(\d+) labels, ([\d.]+)% of the other (\d+) wrong\n$/.exec(stdout)!.map(Number)
    expect([labels, rest]).toEqual([300, 1497])
    expect(wrong).toBeGreaterThan(0)
    expect(wrong).toBeLessThan(15) // guessing is 90
  })
})

describe('a project on texts, with answers from a program', () => {
  const spam = 'spam & <"rot">'
  const program = join(folder, 'answer.mjs')
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
  const bodyOf = (i: number) =>
    i % 3 === 0 ? `You "won", claim prize ${i}!\nCall, call` : `See you at lunch, ${i} pm; it's fine`
  const labelOf = (id: string) => {
    const i = Number(id.slice(2, -1))
    return i % 10 === 5 ? null : i % 3 === 0 ? spam : 'ham'
  }

  /** Two rounds, or as far as a program comes that gives up after so many answers. */
  const learn = (answers: number, project = 'mails.alis') => {
    const roles = '--id name --text body --show body'.split(' ')
    const oracle = ['--classes', `ham,${spam}`, '--oracle-command', `${process.execPath} ${program} ${answers}`]
    const plan = `--start 30 --rounds 2 --seed 3 --project ${project} --json`.split(' ')
    return run(['run', 'mails.csv', ...roles, ...oracle, ...plan])
  }

  beforeAll(async () => {
    const rows = Array.from({ length: 60 }, (_, i) => [`m"${i},`, bodyOf(i)].map(quoted).join(','))
    writeFileSync(join(folder, 'mails.csv'), ['name,body', ...rows, ''].join('\n'))
    writeFileSync(
      program,
      `import { createInterface } from 'node:readline'
let left = Number(process.argv[2])
for await (const line of createInterface({ input: process.stdin })) {
  if (left-- === 0) process.exit(1)
  const { id, fields } = JSON.parse(line)
  const label = /5,$/.test(id) ? null : fields.body.startsWith('You') ? ${JSON.stringify(spam)} : 'ham'
  console.log(JSON.stringify({ id, label }))
}
`,
    )
    expect(await learn(37)).toMatchObject({ code: 1, stderr: expect.stringContaining('alis: ') })
    await succeed('export mails.alis')
  })

  it('labels of a round that is not finished have the weights of one that ended there', async () => {
    const rows = await rowsOf('mails-export/labels.csv')
    expect(rows.map(({ round }) => round)).toEqual([...Array(30).fill('0'), ...Array(7).fill('1')])
    for (const { id, label } of rows) expect(label).toBe(labelOf(id!))
    const cannotTell = rows.filter(({ label }) => label === null)
    expect(cannotTell.length).toBeGreaterThan(0)
    for (const { weight } of cannotTell) expect(weight).toBe(null)
    const all = lureWeights(
      rows.map(({ probability }) => Number(probability)),
      60,
    )
    const weights = toMeanOne(all.filter((_, k) => rows[k]!.label !== null))
    const told = rows.filter(({ label }) => label !== null)
    for (const [k, { weight }] of told.entries()) expect(Number(weight)).toBeCloseTo(weights[k]!, 12)
    expect(new Set(weights.map((weight) => weight.toFixed(6))).size).toBeGreaterThan(1)
  })

  it('before there is a model, what needs none is exported', async () => {
    await learn(12, 'young.alis')
    await succeed('export young.alis')
    const files = ['label-studio.json', 'label-studio.xml', 'labels.csv', 'prodigy.jsonl']
    expect(readdirSync(join(folder, 'young-export')).sort()).toEqual(files)
    expect((await rowsOf('young-export/labels.csv')).length).toBe(12)
    expect(json('young-export/label-studio.json').every(({ predictions }: { predictions: [] }) => predictions.length === 0)).toBe(
      true,
    )
    expect(await alis('export young.alis --only predictions --out nothing')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('must have a model to export predictions, got none yet'),
    })
  })

  it('Label Studio gets annotations from people, skips, and predictions with a score for the rest', async () => {
    const labels = new Map((await rowsOf('mails-export/labels.csv')).map((row) => [row.id!, row]))
    const predictions = new Map((await rowsOf('mails-export/predictions.csv')).map((row) => [row.id!, row]))
    const model = json('mails-export/model.json').model.id
    const tasks = json('mails-export/label-studio.json')
    expect(tasks.length).toBe(60)
    const choice = (id: string, label: string) => [
      { id, from_name: 'label', to_name: 'content', type: 'choices', value: { choices: [label] } },
    ]
    for (const [i, task] of tasks.entries()) {
      const id = `m"${i},`
      const said = labels.get(id)
      const { prediction, confidence } = predictions.get(id)!
      const predicted = { model_version: model, score: Number(confidence), result: choice(id, prediction!) }
      expect(task).toEqual({
        data: { body: bodyOf(i), alis_id: id },
        annotations: said
          ? [
              {
                result: said.label === null ? [] : choice(id, said.label!),
                was_cancelled: said.label === null,
                created_at: said.time,
              },
            ]
          : [],
        predictions: said && said.label !== null ? [] : [predicted],
      })
    }
    expect(readFileSync(join(folder, 'mails-export/label-studio.xml'), 'utf8')).toBe(
      [
        '<View>',
        '  <Text name="content" value="$body"/>',
        '  <Choices name="label" toName="content" choice="single">',
        '    <Choice value="ham"/>',
        '    <Choice value="spam &amp; &lt;&quot;rot&quot;&gt;"/>',
        '  </Choices>',
        '</View>',
        '',
      ].join('\n'),
    )
  })

  it('Prodigy gets the answered examples, as its choice interface keeps them', async () => {
    const labels = new Map((await rowsOf('mails-export/labels.csv')).map((row) => [row.id!, row]))
    const tasks = lines('mails-export/prodigy.jsonl')
    expect(tasks.length).toBe(37)
    for (const task of tasks) {
      const { label, ...said } = labels.get(task.meta.id)!
      expect(task).toEqual({
        text: bodyOf(Number(task.meta.id.slice(2, -1))),
        options: ['ham', spam].map((name) => ({ id: name, text: name })),
        accept: label === null ? [] : [label],
        answer: label === null ? 'ignore' : 'accept',
        config: { choice_style: 'single' },
        _view_id: 'choice',
        meta: {
          ...said,
          round: Number(said.round),
          order: Number(said.order),
          probability: Number(said.probability),
          weight: said.weight === null ? null : Number(said.weight),
        },
      })
    }
  })

  it('works beside somebody who writes, and the last answer wins', async () => {
    const [first] = (await rowsOf('mails-export/labels.csv')).filter(({ round, label }) => round === '1' && label === 'ham')
    const writer = await openProject(join(folder, 'mails.alis'))
    try {
      await writer.answer(1, first!.id!, spam, { annotator: 'Ada' })
      await succeed('export mails.alis --out beside')
      const rows = await rowsOf('beside/labels.csv')
      expect(rows.length).toBe(37)
      expect(rows.find(({ id }) => id === first!.id)).toMatchObject({
        label: spam,
        annotator: 'Ada',
        round: '1',
        order: first!.order,
      })
      const predicted = (await rowsOf('beside/predictions.csv')).find(({ id }) => id === first!.id)
      expect(predicted).toMatchObject({ prediction: spam, source: 'person' })
      await writer.answer(1, first!.id!, 'ham')
    } finally {
      await writer.close()
    }
  })

  it('certificates come to the byte', async () => {
    const text = '{ "format": "alis-certificate/1",  "claim": "ünchanged" }\n'
    const writer = await openProject(join(folder, 'mails.alis'))
    await writer.keepCertificate({ seal: `sha256:${'0123456789abcdef'.repeat(4)}`, text })
    await writer.close()
    await succeed('export mails.alis --out certified --only certificates')
    expect(readdirSync(join(folder, 'certified'))).toEqual(['certificates'])
    expect(readFileSync(join(folder, 'certified/certificates/0123456789abcdef.json'), 'utf8')).toBe(text)
  })

  it('a project that went on exports what it had, and more', async () => {
    expect(await learn(1000)).toMatchObject({ code: 0, stderr: '' })
    await succeed('export mails.alis --out later --only labels')
    const before = (await rowsOf('mails-export/labels.csv')).map(({ weight: _, annotator, time, ...row }) => row)
    const later = (await rowsOf('later/labels.csv')).map(({ weight: _, annotator, time, ...row }) => row)
    expect(later.length).toBe(50)
    expect(later.slice(0, 37)).toEqual(before)
  })
})

describe('alis predict', () => {
  const model = 'numbers-export/model.json'
  const numbers = Array.from({ length: 40 }, (_, i) => ({
    key: `k${i}`,
    size: i,
    colour: i % 2 ? 'red' : 'blue',
    big: i < 20 ? 'A' : 'b',
  }))
  const csv = (rows: readonly object[]) => [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))].join('\n')

  beforeAll(async () => {
    writeFileSync(join(folder, 'numbers.csv'), csv(numbers))
    await succeed('run numbers.csv --id key --label big --rounds 2 --seed 1 --project numbers.alis --json')
    await succeed('export numbers.alis --only model')
  })

  it('writes CSV or JSONL to stdout, rows counted where there is no id', async () => {
    const plain = (await succeed(`predict ${model} numbers.csv`)).trimEnd().split('\n')
    expect(plain.length).toBe(41)
    expect(plain[0]).toBe('id,prediction,confidence')
    expect(plain[1]).toMatch(/^1,A,0\.\d+$/)
    expect(plain[40]).toMatch(/^40,b,0\.\d+$/)
    const named = (await succeed(`predict ${model} numbers.csv --id key --format jsonl`)).trimEnd().split('\n')
    expect(JSON.parse(named[39]!)).toEqual({ id: 'k39', prediction: 'b', confidence: Number(plain[40]!.split(',')[2]) })
  })

  it('gives the probability of every class, in order, summing to 1', async () => {
    await succeed(`predict ${model} numbers.csv --id key --probabilities --out chances.csv`)
    const rows = await rowsOf('chances.csv')
    expect(Object.keys(rows[0]!)).toEqual(['id', 'prediction', 'confidence', 'A', 'b'])
    for (const { prediction, confidence, A, b } of rows) {
      expect(Number(A) + Number(b)).toBeCloseTo(1, 12)
      expect(confidence).toBe(prediction === 'A' ? A : b)
    }
  })

  it('says which columns are missing, and what may be meant', async () => {
    writeFileSync(join(folder, 'other.csv'), csv(numbers.map(({ colour, ...rest }) => ({ ...rest, color: colour }))))
    expect(await alis(`predict ${model} other.csv`)).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        'alis: other.csv: must have the columns that the model was learned from, got none called "colour"\n      Did you mean "color"?\n',
    })
    writeFileSync(join(folder, 'words.csv'), csv(numbers.map((row) => ({ ...row, size: 'large' }))))
    expect(await alis(`predict ${model} words.csv --out never.csv`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('column "size" must hold finite 32-bit numbers, got "large" in row 1'),
    })
    expect(readdirSync(folder).filter((name) => name.startsWith('never'))).toEqual([])
    expect(await alis(`predict ${model} numbers.csv --id kei`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "key"?'),
    })
  })

  it('keeps stdout for one thing', async () => {
    expect(await alis(`predict ${model} numbers.csv --json`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--json: needs --out'),
    })
    const result = JSON.parse(await succeed(`predict ${model} numbers.csv --out result.jsonl --json`))
    expect(result).toEqual({ type: 'result', rows: 40, model: json(model).model.id, out: 'result.jsonl' })
    expect(lines('result.jsonl').length).toBe(40)
  })
})

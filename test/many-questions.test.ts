// One record, many questions, through the command: every interval holds the truth, and every certificate is verified.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uniform } from '../src/core/randomness.ts'
import { openProject } from '../src/stores/sqlite.ts'
import { jsonLines } from './command.ts'
import { alisHere } from './in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-questions-'))
afterAll(() => rmSync(folder, { recursive: true }))
const run = (...args: string[]) => alisHere(args, { cwd: folder })
const resultOf = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return jsonLines(stdout).at(-1)
}

const classes = ['ham', 'news', 'spam']
const languages = ['de', 'en']
const pick = <T>(from: readonly T[], stream: string, i: number) => from[Math.ceil(from.length * uniform(3, stream, `${i}`)) - 1]!

/** Predictions of three models, verdicts of a judge, and grades, beside what people say. */
const rows = Array.from({ length: 2000 }, (_, i) => {
  const y = pick(classes, 'y', i)
  const p = 0.5 + 0.5 * uniform(3, 'p', `${i}`)
  const others = classes.filter((name) => name !== y)
  const guess = (rate: number, stream: string) => (uniform(3, stream, `${i}`) < rate ? y : pick(others, `${stream} else`, i))
  const grade = pick([1, 2, 3, 4, 5], 'grade', i)
  const passes = uniform(3, 'passes', `${i}`) < 0.7
  return {
    id: `m${i}`,
    new: guess(p, 'new'),
    p: p.toFixed(4),
    old: guess(0.6, 'old'),
    poor: guess(0.4, 'poor'),
    language: pick(languages, 'language', i),
    grade,
    given: Math.min(5, Math.max(1, grade + pick([-1, 0, 0, 1], 'off', i))),
    verdict: passes ? 'pass' : 'fail',
    person: uniform(3, 'judge', `${i}`) < 0.85 === passes ? 'pass' : 'fail',
    y,
  }
})
type Row = (typeof rows)[0]
writeFileSync(
  join(folder, 'mails.csv'),
  [Object.keys(rows[0]!).join(), ...rows.map((row) => Object.values(row).join()), ''].join('\n'),
)
const share = (some: readonly Row[], holds: (row: Row) => boolean) => some.filter(holds).length / some.length

interface Told {
  metric: string
  positive: string | null
  slice: { column: string; value: string } | null
  value: number
  low: number
  high: number
  level: number
  state: string
  answers: number
  plan: object
  together?: { low: number; high: number }
  asked?: string
}

/** What the answer to a question is, from all rows. */
function truthOf({ metric, positive, slice }: Told): number {
  const some = rows.filter((row) => !slice || row[slice.column as 'language'] === slice.value)
  const isRight = (row: Row) => row.new === row.y
  const of = (test: (row: Row) => boolean) => share(some.filter(test), isRight)
  const truths: Record<string, () => number> = {
    error: () => share(some, (row) => !isRight(row)),
    accuracy: () => share(some, isRight),
    recall: () => of((row) => row.y === positive),
    precision: () => of((row) => row.new === positive),
    prevalence: () => share(some, (row) => row.y === positive),
  }
  return truths[metric]!()
}
const holds = (told: Told, { low, high }: { low: number; high: number } = told) => low <= truthOf(told) && truthOf(told) <= high

const predictions = ['mails.csv', '--prediction', 'new', '--confidence', 'p', '--truth', 'y', '--seed', '11']
const everything = ['--metric', 'error,recall:spam,precision', '--metric', 'prevalence:ham', '--positive', 'news']

describe('several questions of one record', () => {
  let result: { questions: Told[]; answers: number; certificate: string; report: string } & Told
  beforeAll(async () => {
    const files = ['--certificate', 'c.json', '--report', 'r.html', '--project', 'audit.alis']
    result = await resultOf('audit', ...predictions, ...everything, '--by', 'language', '--together', '--budget', '250', ...files)
  })

  it('are asked of the whole pool, then of each slice', () => {
    const asked = result.questions.map(({ metric, positive, slice }) => [metric, positive, slice?.value ?? null])
    const whole = [
      ['error', null],
      ['recall', 'spam'],
      ['precision', 'news'],
      ['prevalence', 'ham'],
    ]
    const values = [...new Set(result.questions.flatMap(({ slice }) => (slice ? [slice.value] : [])))]
    expect(values.toSorted()).toEqual(languages)
    expect(asked).toEqual([null, ...values].flatMap((value) => whole.map((one) => [...one, value])))
  })

  it('say what is said of each, and the first of them as ever', () => {
    for (const told of result.questions) {
      expect(told).toMatchObject({ level: 0.95, state: 'defined', plan: { kind: 'budget', answers: 250 } })
      expect(told.low <= told.value && told.value <= told.high).toBe(true)
      expect(told.together!.low <= told.low && told.high <= told.together!.high).toBe(true)
    }
    const { metric, value, low, high } = result.questions[0]!
    expect(result).toMatchObject({ type: 'result', metric, value, low, high, level: 0.95, answers: 250, pool: 2000 })
    const [precision] = result.questions.filter((told) => told.metric === 'precision')
    expect(precision!.answers).toBeLessThan(250) // those that are predicted to be news
  })

  it('hold the truth all at once, for this seed', () => {
    expect(result.questions.filter((told) => !holds(told, told.together))).toEqual([])
  })

  it('are verified, from the file and from the project', async () => {
    expect(await resultOf('verify', 'c.json', '--pool', 'mails.csv')).toMatchObject({ type: 'result', verified: true })
    expect(await resultOf('verify', 'c.json', '--project', 'audit.alis')).toMatchObject({ type: 'result', verified: true })
  })

  it('are in a report that needs nothing else', () => {
    const page = readFileSync(join(folder, 'r.html'), 'utf8')
    expect(page).toContain('mails.csv')
    expect(page).not.toMatch(/https?:\/\/|<script/)
  })

  it('rounds of several say all of them', async () => {
    const { stdout } = await run('audit', ...predictions, '--metric', 'error,kappa', '--budget', '60', '--json')
    const [round] = jsonLines(stdout)
    expect(round.questions.map(({ metric }: Told) => metric)).toEqual(['error', 'kappa'])
    expect(round).toMatchObject({ type: 'round', answers: 50, value: round.questions[0].value })
  })

  it('people read a table, how sure it is, and who answered', async () => {
    const { stdout } = await run('audit', ...predictions, '--metric', 'recall', '--each-class', '--budget', '60', '--together')
    expect(stdout).toContain('Each at 95 %; the limits under "all at once" hold all at once at 95 %.')
    expect(stdout).toContain('Answers from the column y. Holds whenever you look.')
    expect(stdout).toMatch(/question +estimate +interval +all at once +state +answers/)
    for (const name of classes) expect(stdout).toMatch(new RegExp(`^recall of ${name} +\\d`, 'm'))
  })
})

describe('other things to audit', () => {
  const of = (result: { questions: Told[] }, metric: string) => result.questions.find((told) => told.metric === metric)!

  it('a judge: the pass rate put right, TPR, TNR and kappa', async () => {
    const args = ['mails.csv', '--judge', 'verdict', '--truth', 'person', '--budget', '300', '--seed', '4']
    const result = await resultOf('audit', ...args, '--certificate', 'judge.json')
    expect(result.questions.map(({ metric, positive }: Told) => [metric, positive])).toEqual([
      ['prevalence', 'pass'],
      ['tpr', 'pass'],
      ['tnr', 'pass'],
      ['kappa', null],
    ])
    const passed = share(rows, ({ person }) => person === 'pass')
    const { low, high } = of(result, 'prevalence')
    expect(low <= passed && passed <= high).toBe(true)
    expect(share(rows, ({ verdict }) => verdict === 'pass')).toBeGreaterThan(high) // what the judge says is proven wrong
    expect((await run('verify', 'judge.json', '--pool', 'mails.csv')).code).toBe(0)
  })

  it('grades: their mean, wherever they are within the range', async () => {
    const args = ['mails.csv', '--score', 'grade', '--range', '1..5', '--truth', 'given', '--tolerance', '0.15', '--seed', '4']
    const { low, high, reached, metric } = await resultOf('audit', ...args, '--certificate', 'grades.json')
    const mean = rows.reduce((sum, { given }) => sum + given, 0) / rows.length
    expect({ metric, reached }).toEqual({ metric: 'mean', reached: true })
    expect((high - low) / 2).toBeLessThanOrEqual(0.15)
    expect(low <= mean && mean <= high).toBe(true)
    expect((await run('verify', 'grades.json', '--pool', 'mails.csv')).code).toBe(0)
  })

  it('a program may answer with grades', async () => {
    const answer = `node -e "
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, range } = JSON.parse(line)
        console.log(JSON.stringify({ id, label: range[1] }))
      })"`
    const args = ['mails.csv', '--score', 'grade', '--range', '1..5', '--oracle-command', answer, '--tolerance', '0.3']
    const { low, high } = await resultOf('audit', ...args)
    expect(low <= 5 && high === 5).toBe(true)
  })

  it('several models: which is the best, asked only where they differ', async () => {
    const args = ['mails.csv', '--models', 'poor,new,old', '--within', '0.03', '--truth', 'y', '--seed', '4']
    const { best, reached, questions } = await resultOf('audit', ...args, '--certificate', 'best.json', '--project', 'best.alis')
    expect({ reached, questions }).toEqual({ reached: true, questions: [] })
    expect(best).toMatchObject({ model: 'new', within: 0.03, leader: 'new' })
    expect(best.out).toContain('poor')
    expect((await run('verify', 'best.json', '--pool', 'mails.csv')).code).toBe(0)
    expect((await resultOf('ask', 'best.alis')).best).toEqual(best)
    const { stdout } = await run('audit', ...args)
    expect(stdout).toContain('new is the most accurate of the models')
  })

  it('another model: the difference of whatever is asked', async () => {
    const result = await resultOf(
      'audit',
      ...predictions,
      '--against',
      'old',
      '--metric',
      'accuracy,recall:spam',
      '--budget',
      '200',
    )
    const exact = share(rows, (row) => row.new === row.y) - share(rows, (row) => row.old === row.y)
    const { low, high } = of(result, 'accuracy')
    expect(low <= exact && exact <= high).toBe(true)
    expect(of(result, 'recall')).toMatchObject({ against: 'old', positive: 'spam' })
  })
})

describe('a goal of the first question alone', () => {
  const asked = ['mails.csv', '--prediction', 'new', '--confidence', 'p', '--truth', 'y', '--seed', '6', '--tolerance', '0.08']

  it('ends as soon as that is known, tells the others as well, and is verified', async () => {
    const alone = await resultOf('audit', ...asked)
    const more = ['--metric', 'error,recall', '--each-class', '--by', 'language', '--first', '--certificate', 'first.json']
    const { answers, reached, questions } = await resultOf('audit', ...asked, ...more)
    expect([answers, reached]).toEqual([alone.answers, true]) // draws are made for it, and for no other
    expect(questions.length).toBe(12)
    for (const told of questions as Told[]) {
      const truth = truthOf(told)
      expect(told.low).toBeLessThanOrEqual(truth)
      expect(told.high).toBeGreaterThanOrEqual(truth)
    }
    expect(Math.max(...(questions as Told[]).map(({ low, high }) => high - low))).toBeGreaterThan(0.16)
    expect(await resultOf('verify', 'first.json', '--pool', 'mails.csv')).toMatchObject({ verified: true })
  })

  it('of two models tells the first by itself too', async () => {
    const both = ['--against', 'old', '--alone', 'error', '--first']
    const { questions } = await resultOf('audit', ...asked, ...both)
    expect((questions as (Told & { against?: string })[]).map(({ metric, against }) => [metric, against])).toEqual([
      ['error', undefined],
      ['difference', 'old'],
    ])
  })
})

describe('what is asked afterwards', () => {
  const files = () => readdirSync(join(folder, 'audit.alis'), { recursive: true }).toSorted()

  it('is read off the record, marked, and writes nothing', async () => {
    const before = [files(), readFileSync(join(folder, 'audit.alis/project.sqlite'))]
    const { questions, answers } = await resultOf(
      'ask',
      'audit.alis',
      '--metric',
      'error,recall',
      '--each-class',
      '--by',
      'verdict',
    )
    expect([files(), readFileSync(join(folder, 'audit.alis/project.sqlite'))]).toEqual(before)
    expect(answers).toBe(250)
    expect(questions.length).toBe(4 * 3)
    const registered = questions.filter(({ asked }: Told) => asked === 'before')
    expect(registered.map(({ metric, positive }: Told) => [metric, positive])).toEqual([
      ['error', null],
      ['recall', 'spam'],
    ])
    expect(questions.filter((told: Told) => !holds(told))).toEqual([])
  })

  it('changes no answer to what was asked before', async () => {
    const { questions: then } = JSON.parse(readFileSync(join(folder, 'c.json'), 'utf8'))
    await resultOf('ask', 'audit.alis', '--metric', 'accuracy,error', '--by', 'grade', '--against', 'old')
    const { questions: now } = await resultOf('ask', 'audit.alis', '--metric', 'f1:ham,error')
    expect(now[1]).toMatchObject({ value: then[0].value, low: then[0].low, high: then[0].high })
  })

  it('takes no goal: it cannot be bet on with draws that are there', async () => {
    for (const goal of ['--tolerance', '--budget', '--below']) {
      const { code, stderr } = await run('ask', 'audit.alis', '--metric', 'error', goal, '0.05')
      expect(stderr).toContain(`${goal}: must be an option of this command, got an unknown one`)
      expect(code).toBe(2)
    }
  })

  it('is refused where there is nothing to ask', async () => {
    const spoilt = readFileSync(join(folder, 'mails.csv'), 'utf8').replace(
      /^(m7,)\w+/m,
      (_, id) => `${id}${rows[7]!.new === 'ham' ? 'spam' : 'ham'}`,
    )
    writeFileSync(join(folder, 'other.csv'), spoilt)
    const { code, stderr } = await run('ask', 'audit.alis', '--pool', 'other.csv')
    expect(stderr).toContain('other.csv: must hold the predictions that were audited, got others')
    expect(code).toBe(2)
    expect((await run('ask', 'best.alis', '--metric', 'error', '--against', 'y')).stderr).toContain(
      '--against: poor or new or old is required, got y',
    )
  })
})

describe('an answer that is revised', () => {
  it('makes a certificate void, and the next one rests on what stands', async () => {
    const audit = [...predictions, '--budget', '60', '--project', 'revised.alis']
    await resultOf('audit', ...audit, '--certificate', 'before.json')
    const project = await openProject(join(folder, 'revised.alis'))
    const [first] = await project.rounds()
    const [id, label] = [...first!.answers][0]!
    await project.revise(0, id, label === 'ham' ? 'spam' : 'ham')
    await project.close()

    const { code, stderr } = await run('verify', 'before.json', '--project', 'revised.alis')
    expect(stderr).toContain('got some that were revised since: it is void')
    expect(code).toBe(2)
    expect(await resultOf('status', 'revised.alis')).toMatchObject({ certificates: 1, void: 1 })
    expect((await run('status', 'revised.alis')).stdout).toContain('1, 1 of them void: answers were revised since')

    await resultOf('audit', ...audit, '--certificate', 'after.json')
    expect(await resultOf('verify', 'after.json', '--project', 'revised.alis')).toMatchObject({ verified: true })
    expect((await run('verify', 'after.json', '--pool', 'mails.csv')).code).toBe(0)
    expect(await resultOf('status', 'revised.alis')).toMatchObject({ certificates: 2, void: 1 })
  })
})

it('an audit goes on without the slices and the comparison it began with, which stay in its certificate', async () => {
  const audit = [...predictions, '--project', 'sliced.alis']
  await resultOf('audit', ...audit, '--by', 'language', '--against', 'old', '--budget', '60')
  const { questions } = await resultOf('audit', ...audit, '--budget', '90', '--certificate', 'sliced.json')
  expect(questions[0]).toMatchObject({ metric: 'error', slice: null })
  expect(questions.filter(({ slice }: Told) => slice).map(({ metric }: Told) => metric)).toEqual(['difference', 'difference'])
  expect((await resultOf('ask', 'sliced.alis', '--by', 'language')).questions.length).toBe(3)
  expect(await resultOf('verify', 'sliced.json', '--pool', 'mails.csv')).toMatchObject({ verified: true })
  expect((await run('audit', ...audit, '--against', 'poor', '--budget', '95')).stderr).toContain(
    '--against: old is required, got poor',
  )
})

it('a certificate of the same answers by a goal that is not on record is none of the project', async () => {
  const audit = [...predictions, '--strategy', 'uniform']
  await resultOf('audit', ...audit, '--budget', '60', '--certificate', 'own.json', '--project', 'goal.alis')
  await resultOf('audit', ...audit, '--budget', '50', '--certificate', 'other.json')
  expect((await run('verify', 'other.json', '--pool', 'mails.csv')).code).toBe(0)
  expect((await run('verify', 'own.json', '--project', 'goal.alis')).code).toBe(0)
  expect((await resultOf('audit', ...audit, '--tolerance', '0.3', '--project', 'goal.alis')).reached).toBe(true) // and no answer was asked for
  const { code, stderr } = await run('verify', 'other.json', '--project', 'goal.alis')
  expect(stderr).toContain('rounds.0.rules.goal.budget: must be 60, got 50')
  expect(code).toBe(2)
})

describe('before anything is spent', () => {
  it.each([
    ['--metric recall', 'positive: one of ham, news, spam is required for recall, got none'],
    ['--metric recall:eggs', 'metric: one of ham, news, spam is required after recall:, got eggs'],
    ['--each-class', '--each-class: a metric about a class is required, got none'],
    ['--metric recall --each-class --positive ham', '--each-class: must stand without --positive, got both'],
    ['--metric kappa --against old', '--against: a metric whose difference is a ratio of sums is required, got kappa'],
    ['--metric error,kappa --below 0.5', '--below: error, prevalence or a difference is required, got kappa'],
    ['--models new,old', '--models: must stand without --prediction, got both'],
    ['--strategy uniform --models new,old', '--models: must stand without'],
    ['--judge verdict', '--judge: must stand without --prediction, got both'],
    ['--range 1..5', '--range: needs --score, got none'],
    ['--within 0.1', '--within: needs --models, got none'],
    ['--by tongue', 'must have the column that is asked for, got "tongue"'],
    ['--tolerance 1', '--tolerance: a number in (0, 1) is required, got 1'],
    ['--tolerance 0.9', 'audit: a goal that takes answers is required, got one that is reached without any'],
    ['--report nowhere/r.html', 'nowhere/r.html: must be in a directory, got none called nowhere'],
  ])('%s is refused', async (more, message) => {
    const { code, stderr } = await run('audit', ...predictions, ...more.split(' '), '--budget', '50', '--project', 'new.alis')
    expect(stderr).toContain(message)
    expect(code).toBe(2)
    expect(existsSync(join(folder, 'new.alis'))).toBe(false)
  })
})

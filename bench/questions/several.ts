import { audit } from '../../src/audit.ts'
import { drawTable } from '../../src/cli/terminal/table.ts'
import { hashIds, uniformsOf } from '../../src/core/randomness.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import type { AskedAnswer } from '../../src/questions/ask.ts'
import type { QuestionEstimator } from '../../src/questions/estimator.ts'
import type { Frame } from '../../src/questions/frame.ts'
import { type AuditStrategy, isReachedBy, rulesFor } from '../../src/questions/rules.ts'
import { type QuestionSpec, question } from '../../src/questions/spec.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { count } from '../../src/text/wording.ts'
import { type SlicedPoint, testPool } from '../../test/questions/test-pool.ts'
import { type RealSet, realModels } from './real-models.ts'
import { simulateAudit } from './simulated-audit.ts'
import { summaryOf } from './statistics.ts'

const size = 4000

/** A question, and the half-width that is wanted of it. */
interface Wanted {
  readonly spec: QuestionSpec
  readonly tolerance: number
}

interface Case {
  readonly name: string
  readonly frame: Frame
  /** What is asked, all of one record, and as it is shared out over separate ones. */
  readonly records: readonly (readonly Wanted[])[]
  readonly points: (seed: number) => readonly SlicedPoint[]
  /** Answers that the design has: on one record, the dearest alone, on separate records, on one record of uniform draws. */
  readonly designed: readonly [one: number, dearest: number, separate: number, uniform: number]
}

interface Simulated extends Omit<Case, 'records' | 'points'> {
  /** Each has a record of its own where they are separate. */
  readonly wanted: readonly Wanted[]
  /** One point from numbers that are uniform from 0 to 1, one for each name. */
  readonly point: (u: (name: string) => number) => SlicedPoint
}

const five = ['a', 'b', 'c', 'd', 'e']
const plain = { models: ['model'], slices: [] }

/** The place of u in shares that add up to 1. */
function placeIn(shares: readonly number[], u: number): number {
  let place = 0
  for (let sum = shares[0]!; sum < u && place < shares.length - 1; sum += shares[place]!) place++
  return place
}

/** One of the other classes, all alike. */
const otherThan = (own: number, classes: number, u: number) =>
  (own + 1 + placeIn(new Array(classes - 1).fill(1 / (classes - 1)), u)) % classes

// How the simulated pools of the design were made is not on record. In ours the dearest question takes about as many answers, or up to a third fewer.
const simulated: readonly Simulated[] = [
  {
    name: 'accuracy of ten slices, two columns of five, ±5 %',
    frame: { classes: ['no', 'yes'], models: ['model'], slices: ['one', 'two'].map((column) => ({ column, values: five })) },
    wanted: ['one', 'two'].flatMap((column) =>
      five.map((value) => ({ spec: question('accuracy', { slice: { column, value } }), tolerance: 0.05 })),
    ),
    point(u) {
      const chance = 0.05 + 0.3 * u('chance')
      const slices = ['one', 'two'].map((column) => Math.min(4, Math.floor(5 * u(column))))
      return { predicted: 0, chance, truth: u('wrong') < chance ? 1 : 0, slices }
    },
    designed: [1100, 254, 2141, 1155],
  },
  {
    name: 'precision and recall of five classes, ±6 %',
    frame: { ...plain, classes: five },
    wanted: five.flatMap((positive) =>
      (['precision', 'recall'] as const).map((metric) => ({ spec: question(metric, { positive }), tolerance: 0.06 })),
    ),
    point(u) {
      const predicted = placeIn([0.36, 0.26, 0.2, 0.11, 0.07], u('predicted'))
      const chance = 0.02 + 0.5 * u('chance') ** 2
      return { predicted, chance, truth: u('wrong') < chance ? otherThan(predicted, 5, u('other')) : predicted }
    },
    designed: [1587, 1563, 5292, 1728],
  },
  {
    name: 'error ±3 %, recall ±8 %, F1 ±6 %',
    frame: { ...plain, classes: ['no', 'yes'] },
    wanted: [
      { spec: question('error'), tolerance: 0.03 },
      { spec: question('recall', { positive: 'yes' }), tolerance: 0.08 },
      { spec: question('f1', { positive: 'yes' }), tolerance: 0.06 },
    ],
    point(u) {
      const predicted = u('predicted') < 0.05 ? 1 : 0
      const chance = 0.9 * u('chance') ** 6
      return { predicted, chance, truth: u('wrong') < chance ? 1 - predicted : predicted }
    },
    designed: [698, 671, 1604, 945],
  },
]

/** What is asked of predictions of a set, by one model and another, where they are at hand. */
function realCase(
  set: RealSet,
  { model, other, designed }: { model: string; other: string } & Pick<Case, 'designed'>,
): readonly Case[] {
  const found = realModels(set)
  if (!found) return []
  const { truths, predicted, names, doubts, probabilities } = found
  const [own, second] = [names.indexOf(model), names.indexOf(other)]
  const classes = Array.from(probabilities[0]!, (_, k) => `${k}`)
  const points = truths.map(
    (truth, i): SlicedPoint => ({
      predicted: predicted[i]![own]!,
      other: predicted[i]![second]!,
      chance: doubts.get(model)![i]!,
      truth,
    }),
  )
  const ofClasses = classes.flatMap((positive) =>
    (['precision', 'recall'] as const).map((metric) => ({ spec: question(metric, { positive }), tolerance: 0.06 })),
  )
  const alone = [
    { spec: question('accuracy'), tolerance: 0.02 },
    { spec: question('kappa'), tolerance: 0.025 },
    { spec: question('difference', { against: other }), tolerance: 0.01 },
  ]
  return [
    {
      name: `${set}: precision and recall of ${classes.length} classes ±6 %; accuracy ±2 %; kappa ±2.5 %; difference ±1 %`,
      frame: { classes, models: [model, other], slices: [] },
      records: [ofClasses, ...alone.map((each) => [each])],
      points: () => points,
      designed,
    },
  ]
}

const casesAtHand = (): readonly Case[] => [
  ...simulated.map(({ wanted, point, ...rest }) => ({
    ...rest,
    records: wanted.map((each) => [each]),
    points: (seed: number) => pointsOf(point, seed),
  })),
  ...realCase('satellite', { model: 'forest', other: 'svm', designed: [1441, 1536, 3422, 1951] }),
  ...realCase('waveform', { model: 'logistic', other: 'svm', designed: [1367, 1318, 3212, 1674] }),
]

/** Answers until every interval is as narrow as is wanted: all questions on one record, each on its own, and uniform draws. Medians. */
export async function several(runs: number): Promise<string> {
  const rows: string[][] = []
  for (const { name, frame, records, points, designed } of casesAtHand()) {
    const wanted = records.flat()
    const taken: number[][] = []
    for (let seed = 0; seed < runs; seed++) {
      const pool = testPool(points(seed), frame)
      const alone: number[] = []
      for (const record of records) alone.push(await answersFor(pool, record, seed))
      const one = await answersFor(pool, wanted, seed)
      const uniform = await answersFor(pool, wanted, seed, 'uniform')
      taken.push([one, Math.max(...alone), alone.reduce((sum, answers) => sum + answers, 0), uniform])
    }
    const cells = designed.flatMap((reference, k) => {
      const { median, low, high } = summaryOf(taken.map((answers) => answers[k]!))
      return [`${count(median)} (${count(low)}–${count(high)})`, count(reference)]
    })
    rows.push([name, ...cells])
  }
  const titles = ['one record', 'the dearest', 'separate', 'uniform'].flatMap((title) => [title, 'designed'])
  const columns = [{ title: 'questions' }, ...titles.map((title) => ({ title, align: 'right' as const }))]
  return `Answers until all is as narrow as wanted, simulated ones ${count(size)} points, median (its 95 % interval), ${runs} runs\n${drawTable({ columns, rows })}`
}

function pointsOf(point: Simulated['point'], seed: number): SlicedPoint[] {
  const hashes = hashIds(Array.from({ length: size }, (_, i) => `p${i}`))
  const streams = new Map<string, (i: number) => number>()
  return Array.from({ length: size }, (_, i) =>
    point((name) => {
      const known = streams.get(name) ?? uniformsOf({ seed, name: `several/${name}` }, hashes)
      streams.set(name, known)
      return known(i)
    }),
  )
}

type Pool = ReturnType<typeof testPool>

/** By `audit`, where one width is wanted of all: it takes no more than one. */
async function answersFor(
  { subject, truth }: Pool,
  wanted: readonly Wanted[],
  seed: number,
  strategy: AuditStrategy = 'alis-audit',
): Promise<number> {
  const questions = wanted.map(({ spec }) => spec)
  const [{ tolerance }] = wanted as [Wanted]
  if (wanted.some((other) => other.tolerance !== tolerance)) return answersToWidths({ subject, truth }, wanted, seed, strategy)
  const plan = { store: memoryStore(), oracle: columnOracle(truth), questions, seed, strategy, tolerance }
  return (await Array.fromAsync(audit({ subject: subject(), ...plan }))).at(-1)!.answered
}

/** The same where every question has a width of its own. */
async function answersToWidths(
  { subject, truth }: Pick<Pool, 'subject' | 'truth'>,
  wanted: readonly Wanted[],
  seed: number,
  strategy: AuditStrategy,
): Promise<number> {
  const isReached = (said: AskedAnswer, k: number) => isReachedBy(said, wanted[k]!)
  let [answers, reached] = [0, 0]
  await simulateAudit({
    subject: subject(),
    truth,
    questions: wanted.map(({ spec }) => spec),
    goal: () => ({}),
    seed,
    batch: 50,
    answers: truth.size,
    follower: (estimator, k) => aimedAt(estimator, wanted[k]!),
    rules(reader, { estimators }, goal) {
      const open = estimators.filter((estimator, k) => !isReached(estimator.answer(), k))
      return rulesFor(reader, { estimators: open }, goal, strategy)
    },
    look(said) {
      answers++
      if (reached === 0 && said.every(isReached)) reached = answers
    },
  })
  return reached
}

/** An estimator with a width of its own, whatever the goal of the others. */
function aimedAt(estimator: QuestionEstimator, { tolerance }: Wanted): QuestionEstimator {
  return {
    question: estimator.question,
    tables: estimator.tables,
    wanted: (totals) => estimator.wanted(totals, tolerance),
    give: (stratum, answer) => estimator.give(stratum, answer),
    begin: (round, rules) => estimator.begin(round, { ...rules, goal: { tolerance } }),
    draw: (stratum, answer) => estimator.draw(stratum, answer),
    answer: () => estimator.answer(),
    forecast: (width) => estimator.forecast(width),
  }
}

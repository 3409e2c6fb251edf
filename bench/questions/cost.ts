// What ten questions cost an answer to compute: `node bench/questions/cost.ts`.
import { cpus } from 'node:os'
import { pathToFileURL } from 'node:url'
import type { Plan } from '../../src/certificates/plan.ts'
import { type Moments, momentsOf, type Question, totalsOver, type Worth } from '../../src/certificates/question.ts'
import { QuestionInterval } from '../../src/certificates/question-interval.ts'
import { drawTable } from '../../src/cli/terminal/table.ts'
import { hashIds, uniformsOf } from '../../src/core/randomness.ts'
import { count } from '../../src/text/wording.ts'

/** A point: class predicted, class that another model predicts, slice. Answers are 0 or 1. */
type Kind = readonly [predicted: number, other: number, slice: number]
type Rule = (kind: Kind, answer: number) => number

const flag = (is: boolean) => (is ? 1 : 0)
const one: Rule = () => 1
const judged = [0.8, 0.2] // shares of the two classes among predictions
const questions: Record<string, { readonly num: Rule; readonly den: Rule; readonly least?: number; readonly isCount?: true }> = {
  error: { num: ([p], y) => flag(p !== y), den: one, isCount: true },
  prevalence: { num: (_, y) => y, den: one, isCount: true },
  precision: { num: ([p], y) => flag(p === 1 && y === 1), den: ([p]) => flag(p === 1) },
  recall: { num: ([p], y) => flag(p === 1 && y === 1), den: (_, y) => y },
  'true negatives': { num: ([p], y) => flag(p === 0 && y === 0), den: (_, y) => 1 - y },
  f1: { num: ([p], y) => 2 * flag(p === 1 && y === 1), den: ([p], y) => p + y },
  kappa: { num: ([p], y) => flag(p === y) - judged[y]!, den: (_, y) => 1 - judged[y]!, least: -1 },
  difference: { num: ([p, o], y) => flag(p === y) - flag(o === y), den: one, least: -1 },
  'accuracy of a slice': { num: ([p, , s], y) => flag(s === 1 && p === y), den: ([, , s]) => s },
  score: { num: ([p], y) => (p === y ? 1 : 0.25), den: one },
}

const kinds: readonly Kind[] = [0, 1].flatMap((p) => [0, 1].flatMap((o) => [0, 1].map((s) => [p, o, s] as const)))

interface Point {
  readonly kind: number
  readonly answer: number
}

/** A pool in no order, with a fifth predicted positive and a tenth of predictions wrong. */
function poolOf(size: number): Point[] {
  const hashes = hashIds(Array.from({ length: size }, (_, i) => `${i}`))
  const uniforms = (name: string) => uniformsOf({ seed: 1, name }, hashes)
  const [first, second, third, fourth] = ['predicted', 'other', 'slice', 'answer'].map(uniforms)
  return Array.from({ length: size }, (_, i) => {
    const predicted = flag(first!(i) < 0.2)
    const other = second!(i) < 0.15 ? 1 - predicted : predicted
    const slice = flag(third!(i) < 0.3)
    const kind = kinds.findIndex(([p, o, s]) => p === predicted && o === other && s === slice)
    return { kind, answer: fourth!(i) < 0.1 ? 1 - predicted : predicted }
  })
}

/** One question over a pool, ready for its first draw. */
function asked(name: string, pool: readonly Point[], plan: Plan) {
  const { num, den, least = 0, isCount } = questions[name]!
  const worths = kinds.map((kind) => [0, 1].map((y): Worth => ({ num: num(kind, y), den: den(kind, y) })))
  const counts = kinds.map((_, k) => pool.filter(({ kind }) => kind === k).length)
  const wide: Question = { kinds: worths, range: [least, 1], shape: name === 'f1' ? 'f1' : 'product' }
  const range = new QuestionInterval({ question: wide, counts }).certain()
  const question = { ...wide, range }
  const steps = isCount && pool.length <= 2000 ? pool.length : undefined
  const interval = new QuestionInterval({ question, counts, plan, steps })
  const beliefs = kinds.map(([p], k): Moments => momentsOf(worths[k]!, p === 1 ? [0.12, 0.88] : [0.88, 0.12]))
  const totals = totalsOver(question)
  for (const { kind } of pool) totals.add(kind, 1, beliefs[kind]!)
  interval.round(totals.totals(), { allMass: pool.length, drawn: 0, isPlain: false })
  return ({ kind, answer }: Point) => {
    interval.draw({ kind, mass: 1, belief: beliefs[kind]!, worth: worths[kind]![answer]! })
    interval.answer()
  }
}

const marks = [100, 300, 1000]
const window = 100 // answers timed together

/** Milliseconds that an answer costs all questions together: over the window that ends at each mark, and over all of them. */
function milliseconds(pool: readonly Point[], plan: Plan): number[] {
  const all = Object.keys(questions).map((name) => asked(name, pool, plan))
  const began = performance.now()
  const times: number[] = []
  let start = began
  for (let k = 0; k < Math.max(...marks); k++) {
    if (marks.includes(k + window)) start = performance.now()
    for (const add of all) add(pool[k]!)
    if (marks.includes(k + 1)) times.push((performance.now() - start) / window)
  }
  return [...times, (performance.now() - began) / Math.max(...marks)]
}

const plans: readonly { readonly name: string; readonly plan: Plan }[] = [
  { name: 'none', plan: { kind: 'none' } },
  { name: 'budget 1,000', plan: { kind: 'budget', answers: 1000 } },
  { name: '±2 %', plan: { kind: 'tolerance', tolerance: 0.02 } },
]

/** The table as text: medians of some repetitions. */
export async function cost(repeats = 5): Promise<string> {
  const rows = [2000, 20_000].flatMap((size) => {
    const pool = poolOf(size)
    return plans.map(({ name, plan }) => {
      const all = Array.from({ length: repeats }, () => milliseconds(pool, plan))
      const medians = all[0]!.map((_, j) => all.map((times) => times[j]!).sort((a, b) => a - b)[Math.floor(repeats / 2)]!)
      return [count(size), name, ...medians.map((ms) => ms.toFixed(2))]
    })
  })
  const columns = [
    { title: 'points', align: 'right' as const },
    { title: 'plan' },
    ...[...marks.map((mark) => `at ${count(mark)}`), 'mean'].map((title) => ({ title, align: 'right' as const })),
  ]
  const head = `Milliseconds an answer costs ten questions, by answers so far; ${cpus()[0]?.model}, node ${process.version}`
  return `${head}\n${drawTable({ columns, rows })}`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(await cost())

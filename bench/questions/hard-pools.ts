import { hashIds, uniformsOf } from '../../src/core/randomness.ts'
import { type QuestionSpec, question } from '../../src/questions/spec.ts'
import type { TestPoint } from '../../test/questions/test-pool.ts'

/** A point of a hard pool: class 1 is the positive one; `grade` is what people would give it, from 0 to 1. */
export interface HardPoint extends Required<TestPoint> {
  readonly grade: number
}

/** Uniform numbers of a point, by name. */
type Numbers = (name: string) => number

/** What a pool says of its k-th point; `u` gives uniform numbers. */
type Recipe = (k: number, u: Numbers) => Pick<TestPoint, 'predicted' | 'chance' | 'truth'>

const sure = 0.001
const doubtful = (u: Numbers) => 0.05 + 0.25 * u('chance')

/** So many of the first points are found, so many missed, so many wrongly found; the rest is rightly left alone. */
function counted(found: number, missed: number, wrong: number, chanceOf: (kind: string, u: Numbers) => number): Recipe {
  return (k, u) => {
    const kind = k < found ? 'found' : k < found + missed ? 'missed' : k < found + missed + wrong ? 'wrong' : 'left'
    const [predicted, truth] = { found: [1, 1], missed: [0, 1], wrong: [1, 0], left: [0, 0] }[kind]! as [number, number]
    return { predicted, truth, chance: chanceOf(kind, u) }
  }
}

const pools: readonly { readonly name: string; readonly size: number; readonly recipe: Recipe }[] = [
  {
    name: 'overconfident: 10 found, 10 missed, 490 wrong',
    size: 2000,
    recipe: counted(10, 10, 490, (_, u) => 0.02 * u('chance')),
  },
  {
    name: 'one positive, missed for sure',
    size: 200,
    recipe: counted(0, 1, 5, (kind, u) => (kind === 'missed' ? sure : doubtful(u))),
  },
  { name: 'two positives, one missed', size: 200, recipe: counted(1, 1, 3, (_, u) => doubtful(u)) },
  { name: 'no positive', size: 200, recipe: counted(0, 0, 5, (_, u) => doubtful(u)) },
  { name: '10 of 110 positives found', size: 2000, recipe: counted(10, 100, 30, (_, u) => doubtful(u)) },
  {
    name: '30 points',
    size: 30,
    recipe: (_, u) => {
      const predicted = u('predicted') < 0.3 ? 1 : 0
      return { predicted, chance: doubtful(u), truth: u('wrong') < 0.2 ? 1 - predicted : predicted }
    },
  },
  {
    name: 'calibrated',
    size: 500,
    recipe: (_, u) => {
      const predicted = u('predicted') < 0.3 ? 1 : 0
      const chance = Math.min(0.9, 1.4 * u('chance') ** 6)
      return { predicted, chance, truth: u('wrong') < chance ? 1 - predicted : predicted }
    },
  },
  {
    name: 'wrong where it is sure',
    size: 500,
    recipe: (_, u) => {
      const predicted = u('predicted') < 0.3 ? 1 : 0
      const isWrong = u('wrong') < 0.1
      return { predicted, chance: isWrong ? sure : 0.1 + 0.3 * u('chance'), truth: isWrong ? 1 - predicted : predicted }
    },
  },
]

export const poolNames = pools.map(({ name, size }, k) => `${k}: ${size}, ${name}`)

/** A pool that intervals find hard, of this place in the list; where chance has a part in it, by the seed. */
export function hardPool(place: number, seed: number): HardPoint[] {
  const { size, recipe } = pools[place]!
  const hashes = hashIds(Array.from({ length: size }, (_, k) => `p${k}`))
  const streams = new Map<string, (k: number) => number>()
  const numbersOf =
    (k: number): Numbers =>
    (name) => {
      const known = streams.get(name) ?? uniformsOf({ seed, name: `hard/${name}` }, hashes)
      streams.set(name, known)
      return known(k)
    }
  return Array.from({ length: size }, (_, k) => {
    const u = numbersOf(k)
    const point = recipe(k, u)
    const other = u('other') < 0.1 ? 1 - point.predicted : point.predicted
    const grade = Math.round(8 * (point.truth === 1 ? 1 - 0.5 * u('grade') : 0.4 * u('grade') ** 2)) / 8
    return { ...point, other, slice: u('slice') < 0.3 ? 1 : 0, grade }
  })
}

const is = (holds: boolean) => (holds ? 1 : 0)
const positive = { positive: 'yes' }
const south = { column: 'region', value: 'south' }

/** num and den of a point, by the definition of what is asked. */
type Worth = (point: HardPoint) => readonly [num: number, den: number]

const ratios: readonly (readonly [string, QuestionSpec, Worth])[] = [
  ['error', question('error'), ({ predicted: p, truth: y }) => [is(p !== y), 1]],
  ['prevalence', question('prevalence', positive), ({ truth: y }) => [y, 1]],
  ['precision', question('precision', positive), ({ predicted: p, truth: y }) => [p * y, p]],
  ['recall', question('recall', positive), ({ predicted: p, truth: y }) => [p * y, y]],
  ['F1', question('f1', positive), ({ predicted: p, truth: y }) => [2 * p * y, p + y]],
  [
    'difference',
    question('error', { against: 'other' }),
    ({ predicted: p, other: o, truth: y }) => [is(p !== y) - is(o !== y), 1],
  ],
  ['slice', question('accuracy', { slice: south }), ({ predicted: p, truth: y, slice: s }) => [s * is(p === y), s]],
  ['TNR', question('tnr', positive), ({ predicted: p, truth: y }) => [(1 - p) * (1 - y), 1 - y]],
]

/** A question, and what points are worth to it by its definition: for kappa, this depends on the shares of the classes predicted. */
export interface PosedQuestion {
  readonly name: string
  readonly spec: QuestionSpec
  worthIn(points: readonly HardPoint[]): Worth
}

export const posed: readonly PosedQuestion[] = [
  ...ratios.map(([name, spec, worth]) => ({ name, spec, worthIn: () => worth })),
  { name: 'kappa', spec: question('kappa'), worthIn: kappaWorth },
]

/** Of an audit of grades. */
export const posedOfGrades: readonly PosedQuestion[] = [
  {
    name: 'score',
    spec: question('mean'),
    worthIn:
      () =>
      ({ grade }) => [grade, 1],
  },
]

function kappaWorth(points: readonly HardPoint[]): Worth {
  const ofOne = points.filter(({ predicted }) => predicted === 1).length / points.length
  const shares = [1 - ofOne, ofOne]
  return ({ predicted: p, truth: y }) => [is(p === y) - shares[y]!, 1 - shares[y]!]
}

/** Its true value; NaN where there is nothing to divide by. */
export function trueValue({ worthIn }: PosedQuestion, points: readonly HardPoint[]): number {
  const [num, den] = sumOf(points.map(worthIn(points)))
  return den > 1e-12 ? num / den : Number.NaN
}

/** The least and the most that it can be, with any answers to points that cannot be told; NaN where there is nothing to divide by in any case. */
export function rangeOf(
  posed: PosedQuestion,
  points: readonly HardPoint[],
  isUnknown: (place: number) => boolean,
): readonly [number, number] {
  const worth = posed.worthIn(points)
  const [num, den] = sumOf(points.filter((_, i) => !isUnknown(i)).map(worth))
  const open = points.filter((_, i) => isUnknown(i)).map((point) => [0, 1].map((truth) => worth({ ...point, truth })))
  if (open.length === 0) {
    const value = trueValue(posed, points)
    return [value, value]
  }
  if (den + open.reduce((sum, answers) => sum + Math.max(...answers.map(([, own]) => own)), 0) <= 1e-12)
    return [Number.NaN, Number.NaN]
  /** F ≤ f whatever the answers (pick: max), or for some of them (min). */
  const isAtMost = (f: number, pick: typeof Math.max) =>
    num - f * den + open.reduce((sum, answers) => sum + pick(...answers.map(([a, b]) => a - f * b)), 0) <= 1e-12
  const firstOf = (holds: (f: number) => boolean) => {
    let [below, above] = [-1, 1]
    for (let step = 0; step < 50; step++) {
      const middle = (below + above) / 2
      if (holds(middle)) above = middle
      else below = middle
    }
    return above
  }
  return [firstOf((f) => isAtMost(f, Math.min)), firstOf((f) => isAtMost(f, Math.max))]
}

/** Σ num and Σ den. */
function sumOf(worths: readonly (readonly [number, number])[]): readonly [number, number] {
  return worths.reduce(([nums, dens], [num, den]) => [nums + num, dens + den], [0, 0])
}

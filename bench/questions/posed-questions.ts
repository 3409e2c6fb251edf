import { type QuestionSpec, question } from '../../src/questions/spec.ts'
import type { HardPoint } from './hard-pools.ts'

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

/**
 * A question, and what points are worth to it by its definition: for kappa, this depends on the shares of the classes predicted; a mean over
 * classes has one part for each.
 */
export interface PosedQuestion {
  readonly name: string
  readonly spec: QuestionSpec
  partsIn(points: readonly HardPoint[]): readonly Worth[]
}

export const posed: readonly PosedQuestion[] = [
  ...ratios.map(([name, spec, worth]) => ({ name, spec, partsIn: () => [worth] })),
  { name: 'kappa', spec: question('kappa'), partsIn: (points) => [kappaWorth(points)] },
]

/** Of an audit of grades. */
export const posedOfGrades: readonly PosedQuestion[] = [
  { name: 'score', spec: question('mean'), partsIn: () => [({ grade }) => [grade, 1]] },
]

/** Means over classes. */
export const posedMeans: readonly PosedQuestion[] = [
  {
    name: 'macro-F1',
    spec: question('macro-f1'),
    partsIn: () =>
      [0, 1].map((c) => ({ predicted: p, truth: y }) => [2 * is(p === c && y === c), is(p === c) + is(y === c)]),
  },
  {
    name: 'balanced accuracy',
    spec: question('balanced-accuracy'),
    partsIn: () =>
      [0, 1].map((c) => ({ predicted: p, truth: y }) => [is(p === c && y === c), is(y === c)]),
  },
]

function kappaWorth(points: readonly HardPoint[]): Worth {
  const ofOne = points.filter(({ predicted }) => predicted === 1).length / points.length
  const shares = [1 - ofOne, ofOne]
  return ({ predicted: p, truth: y }) => [is(p === y) - shares[y]!, 1 - shares[y]!]
}

/** Its true value, over the parts that have anything to divide by; NaN where none has. */
export function trueValue({ partsIn }: PosedQuestion, points: readonly HardPoint[]): number {
  const ratios = partsIn(points).flatMap((worth) => {
    const [num, den] = sumOf(points.map(worth))
    return den > 1e-12 ? [num / den] : []
  })
  return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
}

/**
 * The least and the most that it can be, with any answers to points that cannot be told; NaN where there is nothing to divide by in any case.
 * Of a mean over classes, what it is with the answers that are never given.
 */
export function rangeOf(
  posed: PosedQuestion,
  points: readonly HardPoint[],
  isUnknown: (place: number) => boolean,
): readonly [number, number] {
  const [worth, another] = posed.partsIn(points)
  const value = trueValue(posed, points)
  if (!worth || another) return [value, value]
  const [num, den] = sumOf(points.filter((_, i) => !isUnknown(i)).map(worth))
  const open = points.filter((_, i) => isUnknown(i)).map((point) => [0, 1].map((truth) => worth({ ...point, truth })))
  if (open.length === 0) return [value, value]
  if (den + open.reduce((sum, answers) => sum + Math.max(...answers.map(([, own]) => own)), 0) <= 1e-12)
    return [Number.NaN, Number.NaN]
  if (den <= 1e-12 && open.every((answers) => answers.some(([, own]) => own <= 1e-12))) return endsOf(open.flat())
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

/** Where all points but one may add nothing to divide by, F is least and most if that one is alone: a ratio of sums is between the ratios. */
function endsOf(worths: readonly (readonly [number, number])[]): readonly [number, number] {
  const ratios = worths.filter(([, den]) => den > 1e-12).map(([num, den]) => num / den)
  return [Math.min(...ratios), Math.max(...ratios)]
}

/** Σ num and Σ den. */
function sumOf(worths: readonly (readonly [number, number])[]): readonly [number, number] {
  return worths.reduce(([nums, dens], [num, den]) => [nums + num, dens + den], [0, 0])
}

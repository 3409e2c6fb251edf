import { isRelevant, type Question, type Worth } from '../certificates/question.ts'
import { QuestionInterval } from '../certificates/question-interval.ts'
import { requireInput } from '../core/errors.ts'
import type { Label } from '../core/record.ts'
import type { Stratum } from '../core/strata.ts'
import { metrics } from '../metrics/catalogue.ts'
import type { MetricContext } from '../metrics/metric.ts'
import { type Frame, placeOfPool, type Strata } from './frame.ts'
import type { QuestionSpec } from './spec.ts'

/** A question over the strata of a pool: which kind of point each stratum holds, and what answers to it are worth. */
export interface QuestionTables {
  readonly question: Question
  /** Kind of each stratum. */
  readonly kinds: Int32Array
  /** Points that it is about: those of the slice and the pool that it names, or all. */
  readonly points: number
  /** Points by kind. */
  readonly counts: readonly number[]
  /** Whether an answer to a point of a kind changes anything. */
  readonly relevant: readonly boolean[]
  /** F can only be one of so many equal steps of its range, where that is known and they are few. */
  readonly steps: number | undefined
  /** What an answer to a point of a stratum adds; null for "cannot tell". */
  worth(stratum: number, answer: Label): Worth | null
}

const mostSteps = 2000

type Range = readonly [number, number]

/** What an answer to a point adds: a place among the classes, or a grade. */
type WorthOf = (stratum: Stratum, answer: number) => Worth

/** The tables of a question: one, or one for each class where it is the mean of a metric over classes. */
export function tablesFor(spec: QuestionSpec, strata: Strata): readonly QuestionTables[] {
  return tablesOf(
    spec,
    strata,
    partsOf(spec, strata.frame).map((part) => {
      const { shape = 'product', range } = metrics[part.metric]
      const wide = part.against === undefined ? (strata.frame.range ?? range) : ([-1, 1] as const)
      return { worthOf: worthOf(part, strata), shape, wide }
    }),
  )
}

/** The questions whose mean is asked for; the question itself, if it is none. */
function partsOf(spec: QuestionSpec, { classes }: Frame): readonly QuestionSpec[] {
  const { meanOver } = metrics[spec.metric]
  return meanOver ? classes.map((positive) => ({ ...spec, metric: meanOver, positive })) : [spec]
}

/** How many points the denominator of a question may have at the most, as a question of its own: Σ den / N. */
export function tablesOfDenominator(spec: QuestionSpec, strata: Strata): QuestionTables {
  const worth = worthOf(spec, strata)
  const isIn = membership(spec, strata.frame)
  const dens: WorthOf = (stratum, answer) => ({ num: worth(stratum, answer).den, den: isIn(stratum) ? 1 : 0 })
  return tablesOf(spec, strata, [{ worthOf: dens, shape: 'product', wide: [0, 2] }])[0]!
}

interface TablePart {
  readonly worthOf: WorthOf
  readonly shape: Question['shape']
  readonly wide: Range
}

/** Tables over the same kinds: strata are of one kind where every part has the same worths for them. */
function tablesOf(spec: QuestionSpec, strata: Strata, parts: readonly TablePart[]): QuestionTables[] {
  const isIn = membership(spec, strata.frame)
  const answers = answersIn(strata.frame)
  const rows: Worth[][][] = []
  const found = new Map<string, number>()
  const kinds = Int32Array.from(strata.list, (stratum) => {
    const own = parts.map(({ worthOf }) => answers.map((answer) => worthOf(stratum, answer)))
    const key = own.flatMap((row) => row.map(({ num, den }) => `${num} ${den}`)).join()
    const kind = found.get(key) ?? rows.push(own) - 1
    found.set(key, kind)
    return kind
  })
  const counts = rows.map(() => 0)
  for (const [k, kind] of kinds.entries()) counts[kind]! += strata.counts[k]!
  const points = strata.list.reduce((sum, stratum, k) => sum + (isIn(stratum) ? strata.counts[k]! : 0), 0)
  return parts.map(({ worthOf, shape, wide }, part) => {
    const own = rows.map((row) => row[part]!)
    const range = certainRange(own, counts, wide)
    return {
      question: { kinds: own, range, shape },
      kinds,
      points,
      counts,
      relevant: own.map(isRelevant),
      steps: strata.frame.range ? undefined : stepsOf(own, counts, range), // a grade may be any number
      worth: (stratum, answer) => (answer === null ? null : worthOf(strata.list[stratum]!, answerOf(strata.frame, answer))),
    }
  })
}

/** The answers whose worths bound all others: every class, or the ends of the range of grades. */
const answersIn = ({ classes, range }: Frame): readonly number[] => range ?? classes.map((_, place) => place)

/** An answer as a number: its place among the classes, or the grade. */
export function answerOf({ classes, range }: Frame, answer: string): number {
  if (!range) {
    const place = classes.indexOf(answer)
    requireInput(place >= 0, `answer: one of ${classes.join(', ')} is required, got ${answer}`)
    return place
  }
  const grade = Number(answer)
  const isFine = answer.trim() !== '' && grade >= range[0] && grade <= range[1]
  requireInput(isFine, `answer: a number from ${range[0]} to ${range[1]} is required, got ${JSON.stringify(answer)}`)
  return grade
}

function worthOf(spec: QuestionSpec, strata: Strata): WorthOf {
  const { frame } = strata
  const { worth, difference, needs } = metrics[spec.metric]
  requireInput(
    (needs === 'grades') === (frame.range !== undefined),
    `metric: one that answers can settle is required, got ${spec.metric} of ${frame.range ? 'grades' : 'classes'}`,
  )
  const placeOf = (name: string | undefined, where: string) => {
    const place = name === undefined ? -1 : frame.classes.indexOf(name)
    requireInput(name === undefined || place >= 0, `${where}: one of ${frame.classes.join(', ')} is required, got ${name}`)
    return place
  }
  const isIn = membership(spec, frame)
  const other = spec.against === undefined ? 0 : frame.models.indexOf(spec.against)
  requireInput(other >= 0, `against: one of ${frame.models.join(', ')} is required, got ${spec.against}`)
  const context: MetricContext = {
    positive: placeOf(spec.positive, 'positive'),
    ...(spec.actual !== undefined && { actual: placeOf(spec.actual, 'actual') }),
    shares: sharesOf(strata, isIn),
    range: frame.range ?? [0, 1],
  }
  const own = spec.against !== undefined && needs !== 'other model' ? difference! : worth
  return (stratum, answer) => {
    if (!isIn(stratum)) return nothing
    const predicted = stratum.predicted[0] ?? -1
    return own({ predicted, other: stratum.predicted[other] ?? -1 }, answer, context)
  }
}

const nothing: Worth = { num: 0, den: 0 }

/** Whether a question is about the points of a stratum: by its slice, and by the pool that it names. */
function membership(spec: QuestionSpec, frame: Frame): (stratum: Stratum) => boolean {
  const isInSlice = sliceTest(spec, frame)
  if (spec.poolSize === undefined) return isInSlice
  const place = placeOfPool(frame.pools ?? [], spec.poolSize)
  return (stratum) => stratum.arrival <= place && isInSlice(stratum)
}

function sliceTest({ slice }: QuestionSpec, { slices }: Frame): (stratum: Stratum) => boolean {
  if (!slice) return () => true
  const column = slices.findIndex((each) => each.column === slice.column)
  const known = slices.map((each) => each.column)
  requireInput(column >= 0, `slice: one of the columns ${known.join(', ') || '(none)'} is required, got ${slice.column}`)
  const place = slices[column]!.values.indexOf(slice.value)
  requireInput(place >= 0, `slice: a value of ${slice.column} is required, got ${slice.value}`)
  return (stratum) => stratum.slices[column] === place
}

/** The share of points, among those that are asked about, that the first model puts in each class. */
function sharesOf({ frame, list, counts }: Strata, isIn: (stratum: Stratum) => boolean): number[] {
  const shares = frame.classes.map(() => 0)
  let points = 0
  for (const [k, stratum] of list.entries()) {
    if (!isIn(stratum) || stratum.predicted.length === 0) continue
    shares[stratum.predicted[0]!]! += counts[k]!
    points += counts[k]!
  }
  return points > 0 ? shares.map((share) => share / points) : shares
}

/** What F must be between, before any answer: never wider than that. */
function certainRange(kinds: readonly (readonly Worth[])[], counts: readonly number[], wide: Range): Range {
  const interval = new QuestionInterval({ question: { kinds, range: wide, shape: 'product' }, counts, grid: 2 })
  const [low, high] = isMean(kinds) ? endsOfMean(kinds, counts) : interval.certain()
  return high - low < 1e-9 ? wide : [low, high]
}

/** Whether every point adds the same to the denominator whatever its answer is. */
const isMean = (kinds: readonly (readonly Worth[])[]) => kinds.every((row) => row.every(({ den }) => den === row[0]!.den))

function endsOfMean(kinds: readonly (readonly Worth[])[], counts: readonly number[]): Range {
  const total = (value: (row: readonly Worth[]) => number) =>
    kinds.reduce((sum, row, kind) => sum + counts[kind]! * value(row), 0)
  const den = total((row) => row[0]!.den)
  if (den === 0) return [0, 0]
  const ends = [Math.min, Math.max].map((pick) => total((row) => pick(...row.map(({ num }) => num))) / den)
  return [ends[0]!, ends[1]!]
}

/** Where every point adds a whole number to a sum that is divided by a known number, F has that many steps. */
function stepsOf(kinds: readonly (readonly Worth[])[], counts: readonly number[], [least, most]: Range): number | undefined {
  const isWhole = isMean(kinds) && kinds.every((row) => row.every(({ num }) => Number.isInteger(num)))
  const steps = (most - least) * kinds.reduce((sum, row, kind) => sum + counts[kind]! * row[0]!.den, 0)
  const isExact = Math.abs(steps - Math.round(steps)) < 1e-6
  return isWhole && isExact && steps >= 1 && steps <= mostSteps ? Math.round(steps) : undefined
}

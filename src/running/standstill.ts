import type { PoolDraw } from '../core/draw.ts'
import type { FeatureRows } from '../core/features.ts'
import { isLearned, type Model, predictedClass, scorerOf, scoresPerPoint } from '../core/model.ts'
import type { Standstill } from '../core/now.ts'
import type { Label } from '../core/record.ts'

/** A closed round: what was drawn with the model before it, and the model after it. */
export interface LearnedRound {
  /** Answers by its end. */
  readonly labels: number
  readonly draws: readonly PoolDraw[]
  readonly answers: ReadonlyMap<string, Label>
  readonly model: Model
}

/** Fewer say nothing. */
const fewest = 200

/** A model that goes on learning loses more of its error while labels double: 17 %, where it falls with the root of their number. */
const little = 1 / 6

/**
 * Whether learning has come to a standstill: over the later half of the labels, what was wrong about each in the model that it was drawn with is set against
 * what the model of half the labels says of it, which had not seen it either. Undefined unless the fall and twice its noise are little. A thing to say to people; no guarantee rests
 * on it.   @see docs/equations.md#standstill
 */
export async function standstill(
  rounds: readonly LearnedRound[],
  features: (ids: readonly string[]) => Promise<FeatureRows>,
): Promise<Standstill | undefined> {
  const all = rounds.at(-1)?.labels ?? 0
  const half = rounds.findLastIndex(({ labels }) => labels <= all / 2)
  const before = rounds[half]?.model
  if (!before || !isLearned(before) || all - rounds[half]!.labels < fewest) return undefined

  const later = rounds
    .slice(half + 1)
    .flatMap(({ draws, answers }) => draws.map((draw) => ({ draw, label: answers.get(draw.id) ?? null })))
  const known = later.filter(({ label }) => label !== null)
  const rows = await features(known.map(({ draw }) => draw.id))
  const [score, scores] = [scorerOf(before), new Float64Array(scoresPerPoint(before))]
  const isWrong = (said: ArrayLike<number>, label: Label) => (before.classes[predictedClass(said)] === label ? 0 : 1)
  const pairs = known.map(({ draw, label }, row) => {
    score(rows, row, scores)
    const wrong = isWrong(draw.predicting ?? draw.scores, label)
    return { weight: 1 / draw.probability, wrong, fall: isWrong(scores, label) - wrong }
  })
  const { fall, noise, error } = weighted(pairs)
  return error > 0 && fall + 2 * noise <= little * error ? { labels: all - rounds[half]!.labels, fall, noise, error } : undefined
}

interface Pair {
  readonly weight: number
  readonly wrong: number
  readonly fall: number
}

/** Means by weight, and the standard error of one of them. */
function weighted(pairs: readonly Pair[]): Pick<Standstill, 'fall' | 'noise' | 'error'> {
  const total = pairs.reduce((sum, { weight }) => sum + weight, 0)
  const mean = (value: (pair: Pair) => number) => pairs.reduce((sum, pair) => sum + pair.weight * value(pair), 0) / total
  const fall = mean((pair) => pair.fall)
  const squares = pairs.reduce((sum, pair) => sum + (pair.weight * (pair.fall - fall)) ** 2, 0)
  return { fall, error: mean((pair) => pair.wrong), noise: Math.sqrt(squares) / total }
}

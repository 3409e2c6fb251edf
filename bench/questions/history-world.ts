import { uniform } from '../../src/core/randomness.ts'
import type { Label } from '../../src/core/record.ts'
import { grownSubject } from '../../src/engines/grown-subject.ts'
import type { Audited } from '../../src/questions/subject.ts'
import { testFrame, testPool } from '../../test/questions/test-pool.ts'
import type { Dice } from './dice.ts'
import type { HardPoint } from './hard-pools.ts'
import { type PosedQuestion, rangeOf } from './posed-questions.ts'
import type { Truth } from './watch.ts'

export const modelNames = ['first', 'second'] as const
export type ModelName = (typeof modelNames)[number]

/** A pool that may grow, predictions of two models, and an annotator: at times wrongly at first, at times not at all. */
export interface World {
  readonly ids: readonly string[]
  /** Points at the beginning. */
  readonly start: number
  /** `sizes`: how many points the pool had at the start, and after each addition. */
  audited(model: ModelName, sizes: readonly number[]): Audited
  /** What stands in the end; null for what cannot be told. */
  answerTo(id: string): Label
  firstAnswerTo(id: string): Label
  isWrong(id: string): boolean
  /** What a question is about, over the pool of a size but for some points: the least and the most that can be true. */
  truthOf(question: PosedQuestion, model: ModelName, size: number, without: ReadonlySet<string>): Truth
}

export function worldOf(seed: number, { pick, whole, chance }: Dice): World {
  const start = pick([1, 2, 5, 20, 40, 70])
  const all = start + 60
  const error = pick([0, 0.05, 0.2, 0.6])
  const addedError = chance(0.7) ? error : 1
  const positives = pick([0.02, 0.3])
  const slips = chance(0.35) ? 0.15 : 0
  const unknown = chance(0.25) ? 0.08 : 0
  const isHonest = chance(0.5)
  const u = (name: string, i: number) => uniform(seed, `world/${name}`, `${i}`)
  const points = Array.from({ length: all }, (_, i): HardPoint => {
    const truth = u('truth', i) < positives ? 1 : 0
    const isWrong = u('wrong', i) < (i < start ? error : addedError)
    const predicted = isWrong ? 1 - truth : truth
    const other = u('other', i) < 0.2 ? 1 - predicted : predicted
    const chance = isHonest === isWrong ? 0.1 + 0.4 * u('chance', i) : 0.001 + 0.1 * u('chance', i)
    return { predicted, other, chance, truth, slice: whole(2), grade: 0 }
  })
  const seenBy = {
    first: points,
    second: points.map((point) => ({ ...point, predicted: point.other, other: point.predicted })),
  }
  const { ids, truth } = testPool(points)
  const places = new Map(ids.map((id, i) => [id, i]))
  const isUnknown = (i: number) => u('unknown', i) < unknown
  const answerTo = (id: string) => (isUnknown(places.get(id)!) ? null : truth.get(id)!)
  return {
    ids,
    start,
    audited(model, sizes) {
      const { subject } = testPool(seenBy[model].slice(0, sizes.at(-1)))
      const arrivals = sizes.map((size, k) => ids.slice(sizes[k - 1] ?? 0, size))
      return { ...grownSubject(subject(), arrivals), model, poolHash: `${sizes.at(-1)}`, columns: {} }
    },
    answerTo,
    firstAnswerTo(id) {
      const slip = u('slip', places.get(id)!)
      if (slip >= slips) return answerTo(id)
      return slip < slips / 4 ? null : testFrame.classes[1 - points[places.get(id)!]!.truth]!
    },
    isWrong: (id) => points[places.get(id)!]!.predicted !== points[places.get(id)!]!.truth,
    truthOf(question, model, size, without) {
      const about = ids.slice(0, size).flatMap((id, i) => (without.has(id) ? [] : [i]))
      return rangeOf(
        question,
        about.map((i) => seenBy[model][i]!),
        (k) => isUnknown(about[k]!),
      )
    },
  }
}

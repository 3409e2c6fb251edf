import { MeanOfRatios } from '../../src/certificates/mean-of-ratios.ts'
import type { Plan } from '../../src/certificates/plan.ts'
import { momentsOf, type Question, totalsOver } from '../../src/certificates/question.ts'
import type { QuestionAnswer } from '../../src/certificates/question-interval.ts'
import { hashIds, uniformsOf } from '../../src/core/randomness.ts'
import { successive } from '../../src/designs/successive.ts'
import type { MadeModels } from './simulated-models.ts'

/** The F1 of every class, over kinds that are the class predicted. */
export function f1OfClasses(classes: number): Question[] {
  const all = Array.from({ length: classes }, (_, c) => c)
  const flag = (is: boolean) => (is ? 1 : 0)
  return all.map((c) => ({
    kinds: all.map((p) => all.map((y) => ({ num: 2 * flag(p === c && y === c), den: flag(p === c) + flag(y === c) }))),
    range: [0, 1],
    shape: 'f1',
  }))
}

/** The mean of ratios over the classes that have any point, in truth. */
export function meanInTruth(parts: readonly Question[], kinds: readonly number[], truths: readonly number[]): number {
  const ratios = parts.flatMap((part) => {
    const worths = truths.map((truth, i) => part.kinds[kinds[i]!]![truth]!)
    const [num, den] = [worths.reduce((sum, worth) => sum + worth.num, 0), worths.reduce((sum, worth) => sum + worth.den, 0)]
    return den > 0 ? [num / den] : []
  })
  return ratios.reduce((a, b) => a + b, 0) / ratios.length
}

export interface MacroRun {
  /** One model; what it predicts is the kind of a point. */
  readonly model: MadeModels
  readonly parts: readonly Question[]
  readonly seed: number
  readonly plan: Plan
  readonly linearised: boolean
  readonly linearisedAt?: number
  /** Draws a round, and in all. */
  readonly batch: number
  readonly draws: number
  readonly grid?: number
  /** What the interval is told of a mass; the mass if left out. */
  readonly told?: (mass: number) => number
}

/** The interval after every round of an audit, the first 50 draws of which are uniform. */
export function runMacro({ model, parts, seed, batch, draws, told = (mass) => mass, ...options }: MacroRun): QuestionAnswer[] {
  const { ids, truths, predicted, probabilities } = model
  const kinds = predicted.map(([guess]) => guess!)
  const counts = parts[0]!.kinds.map((_, kind) => kinds.filter((each) => each === kind).length)
  const mean = new MeanOfRatios({ parts, counts, ...options })
  const hashes = hashIds(ids)
  const path: QuestionAnswer[] = []
  let left = ids.map((_, i) => i)
  for (let drawn = 0; drawn < draws && left.length > 0; ) {
    const isPlain = drawn < 50
    const expected = (part: Question) =>
      left.reduce((sum, i) => sum + momentsOf(part.kinds[kinds[i]!]!, probabilities[i]!).den, 0)
    const masses = isPlain ? new Float64Array(left.length).fill(1) : massesOf(mean.influence(expected), left, model)
    const heard = masses.map(told)
    const totalsOf = (question: Question) => {
      const totals = totalsOver(question)
      for (const [k, i] of left.entries())
        totals.add(kinds[i]!, heard[k]!, momentsOf(question.kinds[kinds[i]!]!, probabilities[i]!))
      return totals.totals()
    }
    mean.round(totalsOf, { allMass: heard.reduce((a, b) => a + b, 0), drawn, isPlain })
    const uniforms = uniformsOf({ seed, name: `macro/${drawn}` }, hashes)
    const picked = successive.draw(masses, Math.min(batch, draws - drawn), (k) => uniforms(left[k]!))
    for (const { index } of picked) {
      const i = left[index]!
      mean.draw({ kind: kinds[i]!, mass: heard[index]!, probabilities: probabilities[i]!, answer: truths[i]! })
    }
    path.push(mean.answer())
    drawn += picked.length
    const gone = new Set(picked.map(({ index }) => index))
    left = left.filter((_, k) => !gone.has(k))
  }
  return path
}

/** 0.6 s/mean s + 0.4,  s² the variance of what a point's answer adds to the mean. */
function massesOf(influence: readonly (readonly number[])[], left: readonly number[], model: MadeModels): Float64Array {
  const deviations = left.map((i) => {
    const worths = influence[model.predicted[i]![0]!]!.map((num) => ({ num, den: 0 }))
    return Math.sqrt(Math.max(momentsOf(worths, model.probabilities[i]!).numNum, 0))
  })
  const mean = deviations.reduce((a, b) => a + b, 0) / left.length
  return Float64Array.from(deviations, (deviation) => (mean > 0 ? 0.6 * (deviation / mean) + 0.4 : 1))
}

import { type Moments, type QuestionTotals, requireTotals } from './question.ts'

/** How the draws of a round were made. */
export interface RoundSetting {
  /** Masses of all points that could be drawn, also of those that do not matter to the question. */
  readonly allMass: number
  /** Answers before it. */
  readonly drawn: number
  /** All masses were the same, and beliefs too for points of one prediction. */
  readonly isPlain: boolean
}

/** What is left of a round: its totals, less what has been drawn. */
export type RoundLeft = Writable<QuestionTotals & RoundSetting>

type Writable<T> = { -readonly [name in keyof T]: T[name] }

export function roundLeft(totals: QuestionTotals, setting: RoundSetting): RoundLeft {
  requireTotals(totals)
  return { ...totals, ...setting }
}

/** Takes a point that was drawn out of what is left. `counts`: it is one of those that the totals of masses and variances are about. */
export function takeOut(left: RoundLeft, mass: number, belief: Moments, counts: boolean): void {
  left.num -= belief.num
  left.den -= belief.den
  left.allMass -= mass
  left.drawn++
  if (!counts) return
  left.mass -= mass
  left.numNum -= belief.numNum / mass
  left.numDen -= belief.numDen / mass
  left.denDen -= belief.denDen / mass
}

/** Draws that a budget of answers leaves, of those that matter, in units of the draw at hand. `points`: that matter and are left. */
export function horizonOf(budget: number, points: number, { mass, allMass, drawn }: RoundLeft): number {
  const ahead = Math.max(((budget - drawn) * mass) / allMass, 1, 0.03 * budget)
  return 0.9 * (ahead >= points ? 1e6 : (points * ahead) / (points - ahead)) // of a finite pool the last draws say most
}

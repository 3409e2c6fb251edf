import { claimAround, metricLabel, unitOf } from '../metrics/metric-labels.ts'
import { betweenText, estimateText, levelText, withDecimals } from '../text/limits.ts'
import { count, listed, sentence } from '../text/wording.ts'
import type { AskedAnswer } from './ask.ts'
import type { BestModel } from './race.ts'

/** What a record says of a question, as a sentence that is true in every state.   @see docs/equations.md#states */
export function claimOf(asked: Omit<AskedAnswer, 'plan' | 'isRegistered'>, answers: number): string {
  const { question, state, low, high, level, points, atMost } = asked
  const [before, after] = claimAround(question, count(points))
  if (low === null || high === null)
    return `The ${metricLabel(question)} is not defined: there is nothing to divide by. This rests on ${count(answers)} answers.`
  const said = `${before}${betweenText({ low, high }, withDecimals({ low, high }, unitOf(question)))}${after}`
  if (state === 'known') {
    const value = estimateText(low, { low, high }, withDecimals({ low, high }, unitOf(question)))
    return `${sentence(`${before}${value}${after}`)}: every answer that matters is known.`
  }
  if (state === 'contradiction')
    return `These answers contradict each other at the level asked for, which happens in at most ${count(Math.ceil(100 * (1 - level) - 1e-9))} of 100 audits. What is certain: ${said}.`
  const rests = `This rests on ${count(answers)} answers, drawn at random with recorded probabilities, and holds however often the audit was looked at.`
  if (state === 'if any')
    return `With ${levelText(level)} confidence, if there is anything to divide by, ${said}; it is at most ${count(atMost ?? points)} of ${count(points)} points. ${rests}`
  return `With ${levelText(level)} confidence, ${said}. ${rests}`
}

/** Which model is the best, as a sentence. */
export function claimOfBest({ model, within, level, leader, out }: BestModel, answers: number): string {
  const rests = `This rests on ${count(answers)} answers, drawn at random with recorded probabilities, and holds however often the audit was looked at.`
  if (model === null)
    return `Which model is the best is not proven yet; ${leader} looks best${out.length > 0 ? `, and ${listed(out, 'and')} cannot be` : ''}. ${rests}`
  const margin = within > 0 ? `, or less accurate than the best by at most ${number(100 * within)} percentage points` : ''
  return `With ${levelText(level)} confidence, ${model} is the most accurate of the models${margin}. ${rests}`
}

const number = (x: number) => String(Number(x.toFixed(6)))

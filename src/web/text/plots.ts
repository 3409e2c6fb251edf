import type { Unit } from '../../text/limits.ts'
import { percentage, plusMinus, rangeText, valueText } from '../../text/shares.ts'
import { count, counted, rounded } from '../../text/wording.ts'
import type { Bar } from '../plots/drawings/all.ts'
import type { Rounds } from '../plots/drawings/rounds.ts'
import type { Asked, FunnelStep } from '../plots/drawings/scales.ts'

/** Which rounds a plot of rounds shows, and what each says. */
export function sayRounds({ marks }: Rounds): string {
  const said = marks.flatMap(({ number, value, low, high }) => {
    if (value === undefined) return []
    const range = rangeText({ low, high })
    return [`Round ${number}: ${valueText({ value, low, high })}${range ? `, interval ${range}` : ''}.`]
  })
  return `Estimated error by round. ${said.join(' ')} Each is about the model before that round.`
}

export function sayBars(title: string, bars: readonly Bar[]): string {
  return `${title}: ${bars.map((bar) => `${bar.name}: ${count(bar.count)}`).join(', ')}.`
}

export function sayWeights(counts: readonly number[], largest: number, round: number): string {
  const [all, light] = [counts, counts.slice(0, 3)].map((some) => some.reduce((sum, n) => sum + n, 0)) as [number, number]
  return `Weights of the ${counted(all, 'answer')} of round ${round}. ${count(light)} are below 1; the largest is ${weight(largest)}.`
}

export function sayFunnel(steps: readonly FunnelStep[], asked: Asked, unit: Unit): string {
  const newest = steps.at(-1)!
  const goal = [
    asked.tolerance !== undefined && ` Asked: ${plusMinus(asked.tolerance, unit)}.`,
    asked.below !== undefined && ` Asked: all of it below ${percentage(asked.below)}.`,
  ]
  const said = `After ${counted(newest.answers, 'answer')} the interval runs from ${rangeText(newest, unit)}, estimate ${valueText(newest, unit)}.`
  return said + goal.filter((words) => words !== false).join('')
}

export function sayForecast(asked: Asked, answers: number | undefined): string {
  const goal =
    asked.tolerance === undefined
      ? `the whole interval is expected below ${percentage(asked.below ?? 0)}`
      : `the interval is expected to narrow to plus or minus ${percentage(asked.tolerance)}`
  return answers === undefined
    ? 'Forecast: the expected interval by number of answers. What is asked looks out of reach.'
    : `Forecast: ${goal} after about ${rounded(answers, 2)} answers.`
}

/** A weight to a digit after the point, if it is small. */
export function weight(value: number): string {
  return value >= 10 ? count(value) : value.toFixed(1)
}

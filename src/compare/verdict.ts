import { type Limits, limitTexts } from '../text/limits.ts'
import { percent } from '../text/wording.ts'
import type { Comparison, Result } from './summary.ts'

const standard = 'alis'

/** What a comparison comes to, in plain words, sentence by sentence. Nothing is called better that the seeds cannot tell apart. */
export function verdictOf({ results, best: bestName, noise, splits }: Comparison): string[] {
  const find = (name: string | undefined) => results.find(({ strategy }) => strategy === name)
  const best = find(bestName)
  if (!best) return ['Only uniform draws were tried: name another strategy to compare them with.']
  const first = find(standard) ?? best
  const rivals = results.filter((result) => result !== first && result !== best && !isBaseline(result))
  const worse = rivals.filter(isWorse).map(({ strategy }) => strategy)
  return [
    ...(results.some(isBetter) ? [] : ['On your data nothing here is clearly better than uniform draws.']),
    standing(first),
    ...(best === first ? [] : [against(best, first)]),
    ...probabilities(first, best),
    ...estimates(first, best),
    ...(worse.length > 0 ? [`Clearly worse than uniform draws: ${worse.join(', ')}.`] : []),
    `Differences between factors under ${shownNoise(noise)} are noise.`,
    ...(splits < 10 ? [`From ${splits} seeds only: the intervals themselves are rough. Twenty are better.`] : []),
  ]
}

export const isBaseline = ({ strategy }: Result): boolean => strategy === 'uniform'
const isBetter = ({ low }: Result): boolean => low > 1
const isWorse = ({ high }: Result): boolean => high < 1

function standing(result: Result): string {
  const { strategy, factor } = result
  const interval = `(${shownInterval(result)})`
  if (isBetter(result)) {
    return `On your data ${strategy} reaches uniform's final error with ${shownFactor(factor)} times fewer labels ${interval}.`
  }
  if (isWorse(result)) {
    return `On your data ${strategy} loses to uniform draws: its labels go ${shownFactor(factor)} times as far ${interval}.`
  }
  return `On your data ${strategy} is not told apart from uniform draws: factor ${shownFactor(factor)} ${interval}.`
}

/** The best beside the standard: better only if it is so seed by seed. */
function against(best: Result, first: Result): string {
  const { strategy, factor } = best
  const numbers = `${shownFactor(factor)} (${shownInterval(best)})`
  if (first.ofBest.high < 1 && isBetter(best)) return `${strategy} does better still: ${numbers}.`
  return `${strategy} has the highest factor, ${numbers}, which is not clearly more than that of ${first.strategy}.`
}

/** Better decisions may come with worse probabilities: what was chosen for its difficulty is no fair sample to learn them from. */
function probabilities(first: Result, best: Result): string[] {
  const worse = [...new Set([first, best])].filter((result) => isBetter(result) && result.logLossHigh < 1)
  return worse.map(({ strategy, logLossFactor, logLossLow, logLossHigh }) => {
    const interval = `(${shownInterval({ low: logLossLow, high: logLossHigh })})`
    return `The probabilities that ${strategy} learns are worse than uniform's, though: by log-loss its factor is ${shownFactor(logLossFactor)} ${interval}.`
  })
}

function estimates(first: Result, best: Result): string[] {
  const without = [...new Set([first, best])].filter(({ estimateRmse, coverage }) => estimateRmse === null && coverage === null)
  return without.map(
    ({ strategy }) => `${strategy} gives no unbiased estimate: it cannot tell you on the way how good the model is.`,
  )
}

/** As many digits as mean something. */
function shownFactor(factor: number): string {
  return factor.toFixed(digitsOf(factor))
}

const digitsOf = (factor: number) => (factor < 1.2 ? 2 : 1)

function shownInterval({ low, high }: Limits): string {
  const [from, to] = [low, high].map((limit) =>
    limitTexts({ low: limit, high: limit }, { unit: 'number', decimals: digitsOf(limit) }),
  )
  return `${from!.low}–${to!.high}`
}

export function factorRange(limits: Limits): string {
  const { low, high } = limitTexts(limits, { unit: 'number', decimals: 2 })
  return `${low}–${high}`
}

/** Rounded up: what is called noise must not be less than it is. */
const shownNoise = (noise: number) => percent(Math.max(0.01, Math.ceil(100 * noise) / 100), 0)

import type { IntervalState } from '../certificates/question-interval.ts'
import type { Around } from '../metrics/metric.ts'
import { claimAround, metricLabel, unitOf } from '../metrics/metric-labels.ts'
import { betweenText, estimateText, levelText, withDecimals } from '../text/limits.ts'
import { count, counted, listed, sentence } from '../text/wording.ts'
import type { AskedAnswer } from './ask.ts'
import type { CertifiedQuestion, CertifiedRound } from './certificate.ts'
import type { CertifiedLearning } from './learned.ts'
import type { BestModel } from './race.ts'

/** A machine, and how many answers it gave. */
export interface MachineShare {
  readonly name: string
  readonly answers: number
}

type Said = Omit<AskedAnswer, 'plan' | 'isRegistered'>

/**
 * What a record says of a question, as a sentence that is true in every state. `answers`: all draws, of which those count whose answer matters to it; `given`: those
 * known without a draw; `machines`: who gave some of them.
 * @see docs/equations.md#states
 */
export function claimOf(asked: Said, answers: number, given = 0, machines: readonly MachineShare[] = []): string {
  const { question, state, low, high, level, points, learned } = asked
  const rests = `This rests on ${asked.answers < answers ? `${count(asked.answers)} of ` : ''}${counted(answers, 'answer')}${machineWords(machines, answers)}`
  if (low === null || high === null) return `${undefinedWords(metricLabel(question))} ${rests}.`
  const [before, after] = claimAround(question, count(points))
  const [opening, closing] = aroundState(asked)
  const writing = withDecimals({ low, high }, unitOf(question))
  const limits = state === 'known' ? estimateText(low, { low, high }, writing) : betweenText({ low, high }, writing)
  const said = `${opening}${before}${limits}${after}${closing}.`
  if (state === 'known' || state === 'contradiction') return sentence(said)
  const besides = given > 0 ? `, and on ${counted(given, 'answer')} known without a draw` : ''
  const also = learned === undefined ? ',' : ` and on ${count(learned)} that the model learned from, all`
  return `With ${levelText(level)} confidence, ${said} ${rests}${also} drawn at random with recorded probabilities${besides}, and holds however often the audit was looked at.`
}

interface Standing extends Pick<Said, 'state' | 'level' | 'points'> {
  readonly atMost?: number | undefined
}

/** The machines that gave answers to draws, and how many each. */
export const machinesIn = (rounds: readonly Pick<CertifiedRound, 'draws'>[]): MachineShare[] =>
  sharesOf(rounds.flatMap(({ draws }) => draws.flatMap(({ machine = [] }) => machine)))

/** Machines by the names of those who gave answers, one an answer. */
export const sharesOf = (names: readonly string[]): MachineShare[] =>
  [...Map.groupBy(names, (name) => name)].map(([name, { length }]) => ({ name, answers: length }))

/** ", all of them by a machine (gpt at https://…)", or nothing where people gave all. */
export function machineWords(machines: readonly MachineShare[], answers: number): string {
  if (machines.length === 0) return ''
  const own = machines.reduce((sum, machine) => sum + machine.answers, 0)
  const who = listed(
    machines.map(({ name }) => name),
    'and',
  )
  return `, ${own >= answers ? 'all' : count(own)} of them by a machine (${who})`
}

/** What stands before and after a claim, so that it is true in its state. */
export function aroundState({ state, level, points, atMost }: Standing): Around {
  if (state === 'known') return ['', ': every answer that matters is known']
  if (state === 'if any' && atMost === undefined) return ['over the classes that occur, ', ''] // of a mean over classes
  if (state === 'if any')
    return ['if there is anything to divide by, ', `; it is at most ${count(atMost!)} of ${counted(points, 'point')}`]
  return state === 'contradiction' ? [`${contradictionWords(level)} What is certain: `, ''] : ['', '']
}

/** "The recall of spam is not defined: there is nothing to divide by." */
export function undefinedWords(label: string): string {
  return `The ${label} is not defined: there is nothing to divide by.`
}

function contradictionWords(level: number): string {
  const most = Math.ceil(100 * (1 - level) - 1e-9)
  return `These answers contradict each other at the level asked for, which happens in at most ${count(most)} of 100 audits.`
}

const words: Readonly<Record<IntervalState, string>> = {
  defined: 'interval',
  'if any': 'if there is anything to divide by',
  undefined: 'not defined',
  known: 'known exactly',
  contradiction: 'contradiction: only what is certain',
}

/** What a cell of a table says of a state. */
export function stateText(state: IntervalState): string {
  return words[state]
}

/** What a row of a table calls each question, told apart by how it was asked where that is all that differs. */
export function rowLabels(questions: readonly Pick<Said, 'question'>[]): string[] {
  const labels = questions.map(({ question }) => metricLabel(question))
  return questions.map(({ question: { level, isCeiling, isLinearised } }, k) => {
    const others = questions.filter((_, j) => j !== k && labels[j] === labels[k]).map(({ question }) => question)
    const how = [
      ...(others.some((other) => other.level !== level) ? [`at ${levelText(level)}`] : []),
      ...(others.some((other) => other.isCeiling !== isCeiling) && isCeiling ? ['upper limit alone'] : []),
      ...(others.some((other) => other.isLinearised !== isLinearised) && isLinearised ? ['to first order'] : []),
    ]
    return [labels[k], ...how].join(', ')
  })
}

/** What is said once above a table of several questions. */
export function levelsText(questions: readonly Pick<CertifiedQuestion, 'level' | 'together'>[]): string {
  const levels = [...new Set(questions.map(({ level }) => levelText(level)))].join(', ')
  if (questions.some(({ together }) => together))
    return `Each at ${levels}; under “All at once”, all of them together at ${levels}.`
  return `Each at ${levels}, not all at once: a row that is picked because it stands out is not covered.`
}

/** What a certificate of a learned model begins with, beside its own answers. */
export function learnedWords({ answers, keptBack, calibrating }: CertifiedLearning): string {
  const confidences = `confidences as ${counted(calibrating, 'answer')} of learning measured them`
  if (answers === 0) return sentence(confidences)
  const share = `${Math.round(100 * keptBack)} % of the stake kept back`
  return `${counted(answers, 'answer')} that the model learned from, drawn at random, ${share}; ${confidences}`
}

/** Which model is the best, and what that rests on. */
export function claimOfBest(best: BestModel, answers: number, machines: readonly MachineShare[] = []): string {
  const said = best.model === null ? bestWords(best) : `With ${levelText(best.level)} confidence, ${bestWords(best)}`
  return `${said} This rests on ${counted(answers, 'answer')}${machineWords(machines, answers)}, drawn at random with recorded probabilities, and holds however often the audit was looked at.`
}

/** Which model is the best, as a sentence. */
export function bestWords({ model, within, leader, out }: Pick<BestModel, 'model' | 'within' | 'leader' | 'out'>): string {
  if (model === null)
    return `Which model is the best is not proven yet; ${leader} looks best${out.length > 0 ? `, and ${listed(out, 'and')} cannot be` : ''}.`
  const margin = within > 0 ? `, or less accurate than the best by at most ${pointsText(within)}` : ''
  return `${model} is the most accurate of the models${margin}.`
}

/** "1 percentage point", "0.5 percentage points" */
export function pointsText(share: number): string {
  const points = Number((100 * share).toFixed(6))
  return `${points} percentage point${points === 1 ? '' : 's'}`
}

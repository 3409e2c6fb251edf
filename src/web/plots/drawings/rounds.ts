import type { Project } from '../../../protocol/project.ts'
import type { ClosedRound, Estimate } from '../../../protocol/rounds.ts'
import { type Scale, scaleOver } from './scales.ts'

export interface RoundMark {
  readonly number: number
  readonly learnedFrom: number
  readonly answers: number
  /** Missing where there is no estimate; then `why` says so in few words. */
  readonly value?: number
  readonly low: number | null
  readonly high: number | null
  readonly why: string
  readonly isRevised: boolean
}

/** The learning rounds of a project as its plots show them. */
export interface Rounds {
  readonly marks: readonly RoundMark[]
  readonly open?: { readonly number: number; readonly size: number }
  /** How many rounds the budget allows, at the present pace. */
  readonly planned: number
  readonly level: number
}

export function roundsOf({ rounds, phase, plan, nextPlan, answers: all }: Project): Rounds {
  const open = phase.kind === 'asking' && phase.purpose === 'learn' ? { number: phase.number, size: phase.size } : undefined
  // What was spent on audits counts too; of the open round, all that is drawn.
  const given = Math.max(all, rounds.reduce((sum, { answers }) => sum + answers, 0) + (open?.size ?? 0))
  const { budget, batch } = nextPlan ?? plan
  const current = open?.number ?? rounds.at(-1)?.number ?? 0
  return {
    marks: rounds.map(markOf),
    ...(open && { open }),
    planned: current + Math.ceil(Math.max(0, budget - given) / batch),
    level: newestEstimate(rounds)?.estimate.level ?? 0.95,
  }
}

function markOf({ number, learnedFrom, answers, estimate }: ClosedRound): RoundMark {
  const why = learnedFrom === 0 ? 'no model\nyet' : 'no\nestimate'
  const facts = { number, learnedFrom, answers, why, low: null, high: null, isRevised: false }
  if (!estimate) return facts
  const { value, low, high, isRevised } = estimate
  return { ...facts, value, low, high, isRevised }
}

type MeasuredRound = ClosedRound & { readonly estimate: Estimate }

/** The newest round that says something about its model. */
function newestEstimate(rounds: readonly ClosedRound[]): MeasuredRound | undefined {
  return rounds.findLast((round): round is MeasuredRound => round.estimate !== undefined)
}

export type MeasuredMark = RoundMark & { readonly value: number }

interface RoundWindow {
  readonly marks: readonly RoundMark[]
  /** Those with an estimate. */
  readonly measured: readonly MeasuredMark[]
  readonly first: number
  readonly last: number
}

/** Which rounds fit: all that are planned where there is room, else the newest. */
export function windowOf({ marks, open, planned }: Rounds, slots: number, isNarrow: boolean): RoundWindow {
  const current = open?.number ?? marks.at(-1)?.number ?? 1
  const last = isNarrow ? current : Math.min(Math.max(planned, current), Math.max(slots, current + 1))
  const begin = isNarrow ? (marks.find(({ value }) => value !== undefined)?.number ?? 1) : 1
  const first = Math.max(begin, last - slots + 1)
  const shown = marks.filter(({ number }) => number >= first)
  const measured = shown.filter((mark): mark is MeasuredMark => mark.value !== undefined)
  return { marks: shown, measured, first, last }
}

/** From zero to above every interval. */
export function roundScale(measured: readonly MeasuredMark[], steps: number): Scale {
  return scaleOver(0, Math.max(0.05, ...measured.map(({ value, high }) => high ?? value)), steps)
}

/** Every how manieth number is printed so that none runs into the next. */
export function strideOf(step: number, room: number): number {
  return Math.max(1, Math.ceil(room / step))
}

/** The numbers of rounds that are printed: `kept` and every so manieth to either side. */
export function printedNumbers(first: number, last: number, stride: number, kept = last): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i).filter((number) => (number - kept) % stride === 0)
}

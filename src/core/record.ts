import type { PoolDraw } from './draw.ts'
import { requireInput } from './errors.ts'
import type { Survey } from './survey.ts'

/** What a run is, recorded before its first draw. A run is continued only as it was begun. */
export interface RunFacts {
  readonly seed: number
  /** Whether a person chose the seed. A chosen seed can be shopped for, so certificates say so. */
  readonly seedChosen: boolean
  readonly classes: readonly string[]
  readonly poolSize: number
}

/** A round as it stands when its draws go on record, before a point is shown. */
export interface RoundOpening {
  /** Rounds of a record are numbered from 0, whatever they are for. */
  readonly round: number
  /** What the round is for and its randomness: `learn/3`, `audit/7`. Seed and stream give every draw again. `given/2`: not drawn. */
  readonly stream: string
  readonly strategy: string
  readonly design: string
  /** Draws asked for; for `bernoulli`, expected. */
  readonly size: number
  /** Identity of the model whose scores gave the masses. */
  readonly model: string
  readonly survey: Survey
  readonly draws: readonly PoolDraw[]
  /** Of an audit: what made its masses and beliefs, as plain data (`AuditRules`). A round of an older project has none. */
  readonly rules?: object
}

/** A class name, or null for "cannot tell": missing data, never a reason to draw another point. */
export type Label = string | null

export interface RoundFacts extends RoundOpening {
  /** Those that stand, by point id. A point drawn twice is asked once. */
  readonly answers: ReadonlyMap<string, Label>
  /** The machines that gave some of them, by point id; missing where none did. */
  readonly machines?: ReadonlyMap<string, string>
  /** Answers changed after the round had closed, in the order they were. */
  readonly revisions: readonly Revision[]
  readonly isClosed: boolean
}

/** An answer that was changed after its round had closed. */
export interface Revision {
  readonly id: string
  readonly from: Label
  readonly to: Label
  /** Rounds on record when it was made: their masses and beliefs rest on the answer before. */
  readonly opened: number
}

const machineMark = 'machine: '

/** By whom the answers of an oracle are: a machine signs what it says. */
export const signatureOf = ({ machine }: { readonly machine?: string }): { readonly annotator?: string } =>
  machine === undefined ? {} : { annotator: `${machineMark}${machine}` }

/** The machine that signed an answer so, if one did. */
export const machineOf = (annotator = ''): string | undefined =>
  annotator.startsWith(machineMark) ? annotator.slice(machineMark.length) : undefined

/** Notes who gave an answer, by the name it is signed with: the last one counts. */
export function keepMachine(
  machines: Map<string, string>,
  id: string,
  { annotator }: { readonly annotator?: string } = {},
): void {
  const machine = machineOf(annotator)
  if (machine === undefined) machines.delete(id)
  else machines.set(id, machine)
}

/** The points of a round, in draw order; one drawn twice comes twice. */
export function drawnIds({ draws }: Pick<RoundOpening, 'draws'>): string[] {
  return draws.map(({ id }) => id)
}

/** Points of a round that have no answer yet. */
export function unanswered({ draws, answers }: Pick<RoundFacts, 'draws' | 'answers'>): string[] {
  return [...new Set(draws.map(({ id }) => id))].filter((id) => !answers.has(id))
}

/** Whether a round was drawn to learn from, drawn to measure a model, or not drawn at all: labels that were there before. */
export function isFor(purpose: 'learn' | 'audit' | 'given', { stream }: Pick<RoundOpening, 'stream'>): boolean {
  return stream.startsWith(`${purpose}/`)
}

/** Refuses an engine that has lost points which the record says nothing of: those would be left out of all that is said of the pool. */
export function requireUntaken(taken: number, rounds: readonly Pick<RoundOpening, 'draws'>[]): void {
  const drawn = new Set(rounds.flatMap(drawnIds)).size
  requireInput(
    taken === drawn,
    `engine: one whose points were taken by this record alone is required, got ${taken} points taken and ${drawn} on record`,
    'Make an engine for each store.',
  )
}

/** How many points the pool had at each round: those that could be drawn, and those of the rounds before. It may grow. */
export function poolSizes(rounds: readonly Pick<RoundOpening, 'draws' | 'survey'>[]): number[] {
  const before = new Set<string>()
  return rounds.map(({ draws, survey }) => {
    const size = survey.points + before.size
    for (const { id } of draws) before.add(id)
    return size
  })
}

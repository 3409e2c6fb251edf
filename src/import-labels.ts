import { requireClasses } from './core/classes.ts'
import { requireInput } from './core/errors.ts'
import { drawnIds, isFor, type Label, type RoundFacts, type RoundOpening, unanswered } from './core/record.ts'
import { surveyor } from './core/survey.ts'
import type { Engine } from './engines/engine.ts'
import type { Store } from './stores/store.ts'

/** Labels to import, and where to. Its public name is `Giving`. */
export interface LabelImport {
  readonly engine: Pick<Engine, 'size' | 'take'>
  readonly store: Store
  readonly classes: readonly string[]
  /** Where grades lie, if labels are numbers in place of classes. */
  readonly range?: readonly [number, number]
  readonly seed: number
  readonly seedChosen?: boolean
  /** Labels that were there before, by point. What is null is left out. */
  readonly labels: ReadonlyMap<string, Label>
  /** Where they come from. */
  readonly annotator?: string
}

/** Its public name is `Given`. */
export interface ImportedLabels {
  readonly labels: number
  /** Points that had been drawn already: their answers stand. */
  readonly drawn: number
  /** Those of them that say otherwise than the answers which stand. */
  readonly contradicting: readonly Contradiction[]
}

export interface Contradiction {
  readonly id: string
  readonly given: string
  readonly stands: string
}

/**
 * Puts labels on record that were not drawn: a round in which every point was certain. Models learn from them, each counts as itself,
 * and whatever is measured later is about the other points. Its public name is `give`.   @see docs/equations.md#certain
 */
export async function importLabels(plan: LabelImport): Promise<ImportedLabels> {
  const { engine, store, classes, seed, seedChosen = true } = plan
  await store.begin({ seed, seedChosen, classes, poolSize: engine.size })
  const rounds = await store.rounds()
  const last = rounds.at(-1)
  const cutShort = last && !last.isClosed && isFor('given', last) ? last : undefined
  requireInput(
    last === undefined || last.isClosed || cutShort !== undefined,
    `labels: the round that is open must be finished first, got ${last && unanswered(last).length} points waiting for an answer`,
    'Finish or close the open round first: its draws are from the points that had no label when it was opened.',
  )
  const labels = requireLabels(plan)
  const known = new Set(rounds.filter((round) => round !== cutShort).flatMap(drawnIds))
  const fresh = [...labels].filter(([id]) => !known.has(id))
  await engine.take(fresh.map(([id]) => id)) // which also refuses ids that are no points

  if (cutShort) {
    await answerAll(plan, cutShort, labels)
    return importLabels(plan) // and what that round does not have
  }
  const given = {
    labels: fresh.length,
    drawn: labels.size - fresh.length,
    contradicting: rounds.filter((round) => round !== cutShort).flatMap((round) => contradictionsIn(round, labels)),
  }
  if (fresh.length === 0) return given
  const opening = openingOf(rounds.length, fresh, engine.size - known.size)
  await store.openRound(opening)
  await answerAll(plan, opening, labels)
  return given
}

function contradictionsIn({ answers }: RoundFacts, labels: ReadonlyMap<string, string>): Contradiction[] {
  return [...answers].flatMap(([id, stands]) => {
    const given = labels.get(id)
    return stands === null || given === undefined || given === stands ? [] : [{ id, given, stands }]
  })
}

/** The labels that are there, all of which must be classes, or grades within the range. */
function requireLabels({ labels, classes, range }: LabelImport): ReadonlyMap<string, string> {
  if (!range) requireClasses(classes)
  const there = [...labels].filter((entry): entry is [string, string] => entry[1] !== null)
  const isLabel = (label: string) =>
    range ? label.trim() !== '' && Number(label) >= range[0] && Number(label) <= range[1] : classes.includes(label)
  const wanted = range ? `a number from ${range[0]} to ${range[1]}` : `one of ${classes.join(', ')}`
  for (const [id, label] of there)
    requireInput(isLabel(label), `labels: ${wanted} is required, got ${JSON.stringify(label)} for ${JSON.stringify(id)}`)
  return new Map(there)
}

async function answerAll(
  { store, annotator }: LabelImport,
  { round, draws }: RoundOpening,
  labels: ReadonlyMap<string, string>,
): Promise<void> {
  const by = annotator === undefined ? {} : { annotator }
  const there = draws.filter(({ id }) => labels.has(id))
  await Promise.all(there.map(({ id }) => store.answer(round, id, labels.get(id)!, by)))
  await store.closeRound(round)
}

function openingOf(round: number, labels: readonly (readonly [string, string])[], points: number): RoundOpening {
  return {
    round,
    stream: `given/${round}`,
    strategy: 'given',
    design: 'certainty',
    size: labels.length,
    model: 'none',
    survey: { ...surveyor(0).survey(), points }, // no masses: nothing was drawn
    draws: labels.map(([id], k) => ({ id, order: k + 1, probability: 1, mass: 1, remaining: 1, scores: [] })),
  }
}

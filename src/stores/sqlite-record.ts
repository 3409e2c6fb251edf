import type { PoolDraw } from '../core/draw.ts'
import { keepMachine, type Label, type Revision, type RoundFacts, type RoundOpening, type RunFacts } from '../core/record.ts'
import { exactJson } from './exact-json.ts'
import type { GivenAnswer } from './project.ts'
import { refusals, requireCut } from './refusals.ts'
import type { Chain } from './sqlite-chain.ts'
import { type Queries, query } from './sqlite-queries.ts'

/** The record of a run in tables. Every function is one query or one change; the caller makes changes whole and durable. */
export const recordOf = (queries: Queries, chain: Chain) => ({ ...runOf(queries, chain), ...roundsOf(queries, chain) })

function runOf({ first }: Queries, { put }: Chain) {
  const run = (): RunFacts | undefined => {
    const newest = first(query.selectFrom('runs').select('facts').orderBy('seq', 'desc').limit(1))
    return newest && (JSON.parse(newest.facts) as RunFacts)
  }

  return {
    begin(given: RunFacts, time: string): void {
      const begun = run()
      if (!begun) put('runs', { facts: factsText(given), time })
      else if (factsText(begun) !== factsText(given)) throw refusals.otherRun(factsText(begun), factsText(given))
    },
    grow(poolSize: number, time: string): void {
      const begun = run()
      if (!begun || begun.poolSize === poolSize) return
      if (!Number.isInteger(poolSize) || poolSize < begun.poolSize) throw refusals.notGrown(begun.poolSize, poolSize)
      put('runs', { facts: factsText({ ...begun, poolSize }), time })
    },
  }
}

function roundsOf({ all, first, often }: Queries, { put }: Chain) {
  const opening = often((round: number) => query.selectFrom('rounds').select('round').where('round', '=', round))
  const closing = often((round: number) => query.selectFrom('closings').select('round').where('round', '=', round))
  const draw = often((round: number, id: string) =>
    query.selectFrom('draws').select('position').where('round', '=', round).where('id', '=', id).limit(1),
  )

  const roundsOpened = () => first(query.selectFrom('rounds').select(({ fn }) => fn.countAll<number>().as('n')))!.n

  const requireDrawn = (round: number, id: string) => {
    if (draw.first(round, id)) return
    throw opening.first(round) ? refusals.notDrawn(round, id) : refusals.notOpened(round, roundsOpened())
  }

  /** Whether an answer stands: there is one, and it was not taken back. */
  const isAnswered = (round: number, id: string) => {
    const facts = query.selectFrom('answers').select('kind').where('round', '=', round).where('id', '=', id)
    const last = first(facts.orderBy('seq', 'desc').limit(1))
    return last !== undefined && last.kind !== 'retraction'
  }

  return {
    openRound({ draws, survey, rules, ...opening }: RoundOpening, time: string): void {
      const { round, stream, strategy, design, size, model } = opening
      const opened = roundsOpened()
      if (round !== opened) throw refusals.outOfOrder(round, opened)
      if (opened > 0 && !closing.first(opened - 1)) throw refusals.stillOpen(round, opened - 1)
      const texts = { survey: exactJson(survey), rules: rules ? exactJson(rules) : null }
      const rows = draws.map((draw, position) => rowOf(draw, round, position))
      put('rounds', { round, stream, strategy, design, size, model, ...texts, time }, rows)
    },
    answer(round: number, id: string, label: Label, annotator: string, time: string): void {
      if (closing.first(round)) throw refusals.closed(round)
      requireDrawn(round, id)
      put('answers', { round, id, label, annotator, time, kind: 'answer' })
    },
    retract(round: number, id: string, annotator: string, time: string): void {
      if (closing.first(round)) throw refusals.closed(round)
      requireDrawn(round, id)
      if (!isAnswered(round, id)) return
      put('answers', { round, id, label: null, annotator, time, kind: 'retraction' })
    },
    revise(round: number, id: string, label: Label, annotator: string, time: string): void {
      if (!opening.first(round)) throw refusals.notOpened(round, roundsOpened())
      if (!closing.first(round)) throw refusals.notClosed(round)
      if (!isAnswered(round, id)) throw refusals.notAnswered(round, id)
      put('answers', { round, id, label, annotator, time, kind: 'revision', opened: roundsOpened() })
    },
    closeRound(round: number, after: number | undefined, time: string): void {
      if (closing.first(round)) throw refusals.closed(round)
      if (!opening.first(round)) throw refusals.notOpened(round, roundsOpened())
      if (after !== undefined) {
        const draws = all(query.selectFrom('draws').select('id').where('round', '=', round).orderBy('position'))
        const said = all(query.selectFrom('answers').selectAll().where('round', '=', round).orderBy('seq'))
        requireCut({ round, draws }, answersAfter(said, () => 0).answers, after)
      }
      put('closings', { round, after: after ?? null, time })
    },
    rounds(): RoundFacts[] {
      const draws = Map.groupBy(all(query.selectFrom('draws').selectAll().orderBy('round').orderBy('position')), byRound)
      const closings = all(query.selectFrom('closings').select(['round', 'after']))
      const closed = new Map(closings.map(({ round, after }) => [round, after ?? undefined]))
      const rounds = all(query.selectFrom('rounds').selectAll().orderBy('round'))
      const said = all(query.selectFrom('answers').selectAll().orderBy('seq'))
      const saidIn = Map.groupBy(said, byRound)
      return rounds.map(({ time: _, survey, rules, ...opening }) => ({
        ...opening,
        survey: JSON.parse(survey),
        ...(rules !== null && { rules: JSON.parse(rules) }),
        draws: (draws.get(opening.round) ?? []).slice(0, closed.get(opening.round)).map(drawIn),
        ...answersAfter(saidIn.get(opening.round) ?? [], (revision) => roundsBefore(revision, said, rounds)),
        isClosed: closed.has(opening.round),
      }))
    },
    answers: () => all(query.selectFrom('answers').select(['round', 'id', 'label', 'kind', 'annotator', 'time']).orderBy('seq')),
  }
}

/** One spelling for equal facts. */
function factsText({ seed, seedChosen, classes, poolSize }: RunFacts): string {
  return JSON.stringify({ seed, seedChosen, classes, poolSize })
}

function rowOf({ scores, predicting, ...draw }: PoolDraw, round: number, position: number) {
  const { id, order, probability, mass, remaining } = draw
  const texts = { scores: exactJson(scores), latest: predicting ? exactJson(predicting) : null }
  return { round, position, id, order, probability, mass, remaining, ...texts }
}

function drawIn({ id, order, probability, mass, remaining, scores, latest }: ReturnType<typeof rowOf>): PoolDraw {
  const own = { id, order, probability, mass, remaining, scores: JSON.parse(scores) }
  return latest ? { ...own, predicting: JSON.parse(latest) } : own
}

interface Said extends Pick<GivenAnswer, 'round' | 'id' | 'label' | 'kind' | 'annotator' | 'time'> {
  readonly seq: number
  readonly opened: number | null
}

/** What stands in a round after all that was said, and what was revised. `older`: rounds on record at a revision that did not keep it. */
function answersAfter(
  said: readonly Said[],
  older: (revision: Said) => number,
): Pick<RoundFacts, 'answers' | 'machines' | 'revisions'> {
  const answers = new Map<string, Label>()
  const machines = new Map<string, string>()
  const revisions: Revision[] = []
  for (const one of said) {
    const { id, label, kind, opened } = one
    if (kind === 'revision') revisions.push({ id, from: answers.get(id)!, to: label, opened: opened ?? older(one) })
    if (kind === 'retraction') answers.delete(id)
    else answers.set(id, label)
    keepMachine(machines, id, kind === 'retraction' ? {} : one)
  }
  return { answers, ...(machines.size > 0 && { machines }), revisions }
}

/** Rounds that were on record when something was said, as far as that can be known: opened earlier by the clock, or answered before. */
function roundsBefore({ seq, time }: Said, said: readonly Said[], rounds: readonly { readonly time: string }[]): number {
  const byClock = rounds.filter((round) => round.time < time).length
  return said.reduce((most, one) => (one.seq <= seq ? Math.max(most, one.round + 1) : most), byClock)
}

const byRound = ({ round }: { readonly round: number }) => round

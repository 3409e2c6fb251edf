import type { PoolDraw } from '../core/draw.ts'
import { requireInput } from '../core/errors.ts'
import type { Label, RoundFacts, RoundOpening, RunFacts } from '../core/record.ts'
import { exactJson } from './exact-json.ts'
import type { GivenAnswer } from './project.ts'
import { refusals } from './refusals.ts'
import { type Queries, query } from './sqlite-queries.ts'

/** The record of a run in tables. Every function is one query or one change; the caller makes changes whole and durable. */
export const recordOf = (queries: Queries) => ({ ...runOf(queries), ...roundsOf(queries) })

function runOf({ add, first }: Queries) {
  const run = (): RunFacts | undefined => {
    const newest = first(query.selectFrom('runs').select('facts').orderBy('seq', 'desc').limit(1))
    return newest && (JSON.parse(newest.facts) as RunFacts)
  }

  return {
    begin(given: RunFacts, time: string): void {
      const begun = run()
      if (!begun) add(query.insertInto('runs').values({ facts: factsText(given), time }))
      else if (factsText(begun) !== factsText(given)) throw refusals.otherRun(factsText(begun), factsText(given))
    },
    grow(poolSize: number, time: string): void {
      const begun = run()
      if (!begun || begun.poolSize === poolSize) return
      const isGrowth = Number.isInteger(poolSize) && poolSize > begun.poolSize
      requireInput(isGrowth, `pool: can only grow, from ${begun.poolSize} points, got ${poolSize}`)
      add(query.insertInto('runs').values({ facts: factsText({ ...begun, poolSize }), time }))
    },
  }
}

function roundsOf({ add, all, first, often }: Queries) {
  const opening = often((round: number) => query.selectFrom('rounds').select('round').where('round', '=', round))
  const closing = often((round: number) => query.selectFrom('closings').select('round').where('round', '=', round))
  const draw = often((round: number, id: string) =>
    query.selectFrom('draws').select('position').where('round', '=', round).where('id', '=', id).limit(1),
  )
  const answering = often((round: number, id: string, label: Label, annotator: string, time: string) =>
    query.insertInto('answers').values({ round, id, label, annotator, time, kind: 'answer' }),
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
    openRound({ draws, survey, round, stream, strategy, design, size, model }: RoundOpening, time: string): void {
      const opened = roundsOpened()
      if (round !== opened || (opened > 0 && !closing.first(opened - 1))) throw refusals.outOfOrder(round, opened)
      add(query.insertInto('rounds').values({ round, stream, strategy, design, size, model, survey: exactJson(survey), time }))
      for (const [position, draw] of draws.entries()) add(query.insertInto('draws').values(rowOf(draw, round, position)))
    },
    answer(round: number, id: string, label: Label, annotator: string, time: string): void {
      if (closing.first(round)) throw refusals.closed(round)
      requireDrawn(round, id)
      answering.add(round, id, label, annotator, time)
    },
    retract(round: number, id: string, annotator: string, time: string): void {
      if (closing.first(round)) throw refusals.closed(round)
      requireDrawn(round, id)
      if (!isAnswered(round, id)) return
      add(query.insertInto('answers').values({ round, id, label: null, annotator, time, kind: 'retraction' }))
    },
    revise(round: number, id: string, label: Label, annotator: string, time: string): void {
      if (!opening.first(round)) throw refusals.notOpened(round, roundsOpened())
      if (!closing.first(round)) throw refusals.notClosed(round)
      if (!isAnswered(round, id)) throw refusals.notAnswered(round, id)
      add(query.insertInto('answers').values({ round, id, label, annotator, time, kind: 'revision' }))
    },
    closeRound(round: number, time: string): void {
      if (closing.first(round)) throw refusals.closed(round)
      if (!opening.first(round)) throw refusals.notOpened(round, roundsOpened())
      add(query.insertInto('closings').values({ round, time }))
    },
    rounds(): RoundFacts[] {
      const draws = Map.groupBy(all(query.selectFrom('draws').selectAll().orderBy('round').orderBy('position')), byRound)
      const answers = Map.groupBy(all(query.selectFrom('answers').selectAll().orderBy('seq')), byRound)
      const closed = new Set(all(query.selectFrom('closings').select('round')).map(byRound))
      const rounds = all(query.selectFrom('rounds').selectAll().orderBy('round'))
      return rounds.map(({ time: _, survey, ...opening }) => ({
        ...opening,
        survey: JSON.parse(survey),
        draws: (draws.get(opening.round) ?? []).map(drawIn),
        answers: currentAnswers(answers.get(opening.round) ?? []),
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

function rowOf({ scores, latest, ...draw }: PoolDraw, round: number, position: number) {
  const { id, order, probability, mass, remaining } = draw
  const texts = { scores: exactJson(scores), latest: latest ? exactJson(latest) : null }
  return { round, position, id, order, probability, mass, remaining, ...texts }
}

function drawIn({ id, order, probability, mass, remaining, scores, latest }: ReturnType<typeof rowOf>): PoolDraw {
  const own = { id, order, probability, mass, remaining, scores: JSON.parse(scores) }
  return latest ? { ...own, latest: JSON.parse(latest) } : own
}

/** The answers that stand after all that was said, by id. */
function currentAnswers(said: readonly Pick<GivenAnswer, 'id' | 'label' | 'kind'>[]): Map<string, Label> {
  const answers = new Map<string, Label>()
  for (const { id, label, kind } of said) {
    if (kind === 'retraction') answers.delete(id)
    else answers.set(id, label)
  }
  return answers
}

const byRound = ({ round }: { readonly round: number }) => round

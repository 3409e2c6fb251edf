import { type Label, poolSizes, type RoundFacts } from '../../core/record.ts'
import type { WrittenRow } from '../../sources/write-table.ts'
import type { GivenAnswer } from '../../stores/project.ts'
import { trainingSet } from '../../strategies/training-set.ts'

export interface LabelRow {
  readonly id: string
  readonly label: Label
  readonly round: number
  readonly order: number
  readonly probability: number
  readonly weight: number | null
  readonly annotator: string
  readonly time: string
}

export const labelColumns = [
  { name: 'id', type: 'text' },
  { name: 'label', type: 'text' },
  { name: 'round', type: 'whole' },
  { name: 'order', type: 'whole' },
  { name: 'probability', type: 'number' },
  { name: 'weight', type: 'number' },
  { name: 'annotator', type: 'text' },
  { name: 'time', type: 'time' },
] as const

export function labelCells(row: LabelRow): WrittenRow {
  return labelColumns.map(({ name }) => row[name])
}

/**
 * Every draw that was answered, in draw order, with the answer that stands. A weight is what the label counts when all are to stand for
 * the pool, at mean 1; none for "cannot tell", nor for a label that draws with replacement leave out of training.
 */
export function labelRows(
  rounds: readonly RoundFacts[],
  given: readonly GivenAnswer[],
  classes: readonly string[],
  poolSize = poolSizes(rounds).at(-1) ?? 0,
): LabelRow[] {
  const said = Map.groupBy(given, ({ round }) => round)
  const answered = rounds.map((round) => {
    const last = new Map(said.get(round.round)?.map((answer) => [answer.id, answer]))
    const answers = new Map([...last].filter(([, { kind }]) => kind !== 'retraction'))
    return { round, answers, draws: round.isClosed ? round.draws : untilLastAnswer(round.draws, answers) }
  })
  const weights = weightsOf(
    answered.map(({ round, answers, draws }) => ({ ...round, draws, answers: labelsOf(answers) })),
    classes,
    poolSize,
  )
  return answered.flatMap(({ round: { round }, answers, draws }) =>
    draws.flatMap(({ id, order, probability }) => {
      const answer = answers.get(id)
      if (!answer) return []
      const { label, annotator, time } = answer
      return [{ id, label, round, order, probability, weight: weights.get(id) ?? null, annotator, time }]
    }),
  )
}

/** The draws up to the last that was answered, as if the round were to end there. */
function untilLastAnswer(draws: RoundFacts['draws'], answers: ReadonlyMap<string, GivenAnswer>): RoundFacts['draws'] {
  return draws.slice(0, draws.findLastIndex(({ id }) => answers.has(id)) + 1)
}

function labelsOf(answers: ReadonlyMap<string, GivenAnswer>): Map<string, Label> {
  return new Map([...answers].map(([id, { label }]) => [id, label]))
}

function weightsOf(rounds: readonly RoundFacts[], classes: readonly string[], poolSize: number): Map<string, number> {
  const isRepeating = rounds.some(({ design }) => design === 'multinomial') // only its last batch can stand for the pool
  const strategy = { trainsOn: isRepeating ? 'batch' : 'all' } as const
  const { ids, weights } = trainingSet(rounds, { strategy, weighting: 1, classes, poolSize })
  return new Map(ids.map((id, k) => [id, weights[k]!]))
}

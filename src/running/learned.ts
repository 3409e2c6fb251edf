import { type RoundView, RunningLimits } from '../certificates/running.ts'
import { firstNeeded, type Side } from '../certificates/running-bets.ts'
import type { Reader } from '../core/belief.ts'
import { isLearned, type Model } from '../core/model.ts'
import { drawnIds, type RoundFacts } from '../core/record.ts'
import { stratumCodes } from '../core/strata.ts'
import type { Engine } from '../engines/engine.ts'
import { stratifyModel } from '../losses/strata.ts'
import {
  calibratingAnswers,
  keptBack,
  type Learned,
  type LearnedEvidence,
  type LearnedRound,
  type LearningRecord,
  type ToldDoubt,
} from '../questions/learned.ts'
import { DrawnPoints } from './drawn-points.ts'
import { type EvidenceRound, evidenceOf, isEvidence, readRound } from './evidence.ts'

/** A model that was learned, and where its pool lies. */
interface LearnedModel {
  readonly engine: Pick<Engine, 'compare' | 'features' | 'take'>
  readonly model: Model
  /** How scores are read as probabilities. */
  readonly loss: Reader
}

/**
 * What a record of learning says of the model that came of it: the wealth of its running certificate at every number of errors, and what answers
 * said of confidences. Whether there is any is decided by which models and draws are on record, never by what the answers were.
 *
 * Counts over the pool are made once, when the model is frozen, and go on record with the first draws of its audit; the rest is made again from
 * the answers that stand.   @see docs/equations.md#carried
 */
export async function learnedBefore(source: LearnedModel, record: LearningRecord): Promise<Learned | undefined> {
  const rounds = record.rounds.map(settled)
  const { known } = record
  const told = toldDoubts(rounds, source).slice(-calibratingAnswers)
  const evidence = known && !known.evidence ? undefined : await evidenceIn(rounds, source, record)
  if (!evidence && told.length === 0) return undefined
  const calibrating = told.length
  const points = rounds.flatMap(({ draws, answers }) =>
    drawnIds({ draws }).map((id) => ({ id, answer: answers.get(id) ?? null })),
  )
  const given = [...new Map(points.map((point) => [point.id, point])).values()]
  const { rules, answers = 0, rounds: compared = [], logWealth = () => 0 } = { ...evidence }
  return {
    rules: { calibrating, ...(rules && { evidence: rules }) },
    points: record.poolSize - given.length,
    answers,
    logWealth,
    told,
    certified: { answers, keptBack, calibrating, rounds: compared, points: given },
  }
}

/** Of points that were drawn and never answered nothing more will come. They went without: an error perhaps, or none. */
const settled = (round: RoundFacts): RoundFacts => ({ ...round, isClosed: true })

const isStart = ({ stream }: RoundFacts) => stream === 'learn/0'

function toldDoubts(rounds: readonly RoundFacts[], { model, loss }: LearnedModel): ToldDoubt[] {
  const { axes, stratify } = stratifyModel(loss, model.classes.length)
  const { stratum } = stratumCodes(axes)
  return rounds
    .filter((round) => isEvidence(round) && !isStart(round))
    .flatMap(({ draws, answers }) =>
      draws.flatMap(({ id, scores, predicting = scores }) => {
        const answer = answers.get(id) ?? null
        if (answer === null) return []
        const { doubt, predicted } = stratum(stratify.code(predicting))
        return [{ doubt, isWrong: model.classes[predicted[0]!] !== answer }]
      }),
    )
}

/** Draws of models that had learned, each with the model, as far as it is on record. */
async function modelsBehind(rounds: readonly RoundFacts[], record: LearningRecord) {
  const models = new Map<number, Model>()
  for (const round of rounds) {
    const model = isEvidence(round) && !isStart(round) ? await record.model(round.model) : undefined
    if (model) models.set(round.round, model)
  }
  return models
}

async function evidenceIn(rounds: readonly RoundFacts[], source: LearnedModel, record: LearningRecord) {
  const { engine, model, loss } = source
  const { known, poolSize } = record
  const models = await modelsBehind(rounds, record)
  if (models.size === 0 || ![model, ...models.values()].every(isLearned)) return undefined // columns are overwritten when they are refreshed
  const points = new DrawnPoints((ids) => engine.features(ids))
  points.read(rounds, model.classes)
  const used = rounds.filter((round) => models.has(round.round) || (isEvidence(round) && isStart(round)))
  const evidence: EvidenceRound[] = []
  const limits = new RunningLimits()
  for (const round of used) {
    const each = evidenceOf(round, loss, points, models.get(round.round))
    if (each.model) await points.extend(each.row, each.model)
    evidence.push(each)
    limits.add(readRound(each, round, points, model.classes)!)
  }
  const first = firstNeeded(limits.ends)
  const compared = evidence.filter(({ totals }, t) => t >= first && totals.isLearned)
  const differing = known?.evidence
    ? new Map(known.evidence.rounds.map(({ round, differing }) => [round, differing]))
    : await differingFrom(source, compared, [...rounds.flatMap(drawnIds), ...(record.absent ?? [])])
  const viewOf = ({ round, row, totals, poolSize: before }: EvidenceRound): RoundView => ({
    ...points.errorsOf(row, points.size),
    differing: differing.get(round) ?? totals.points,
    added: Math.max(0, poolSize - before),
  })
  const views = evidence.map((each) => (compared.includes(each) ? viewOf(each) : nothing))
  const rules: LearnedEvidence = {
    keptBack,
    poolSize,
    rounds: compared.map((each) => ({ round: each.round, differing: viewOf(each).differing })),
  }
  return {
    rules,
    answers: compared.reduce((sum, { expected }) => sum + expected.length, 0),
    rounds: compared.map((each) => roundSaid(each, viewOf(each))),
    logWealth: remembered((side, errors) => limits.logWealth(side, errors, views)),
  }
}

const nothing: RoundView = { mostErrors: 0, leastErrors: 0, differing: 0, added: 0, gone: 0 }

function roundSaid({ round, model, totals, expected }: EvidenceRound, view: RoundView): LearnedRound {
  const { leastErrors, mostErrors, differing, added } = view
  return { round, model: model!.id, points: totals.points, draws: expected.length, leastErrors, mostErrors, differing, added }
}

const atOnce = 16 // classes of so many models are held at a time

/** D of each round: points that are left to which its model and the frozen one give different classes. `absent`: points that are not. */
async function differingFrom({ engine, model, loss }: LearnedModel, rounds: readonly EvidenceRound[], absent: readonly string[]) {
  await engine.take(absent)
  const models = [...new Map(rounds.map((each) => [each.model!.id, each.model!])).values()]
  const byModel = new Map<string, number>()
  for (let from = 0; from < models.length; from += atOnce) {
    const earlier = models.slice(from, from + atOnce)
    const { differing } = await engine.compare({ model, loss, earlier })
    for (const [k, { id }] of earlier.entries()) byModel.set(id, differing[k]!)
  }
  return new Map(rounds.map(({ round, model: own }) => [round, byModel.get(own!.id)!]))
}

/** Every interval of a question asks about the same numbers of errors. */
function remembered(logWealth: Learned['logWealth']): Learned['logWealth'] {
  const known: Record<Side, Map<number, number>> = { upper: new Map(), lower: new Map() }
  return (side, errors) => {
    const log = known[side].get(errors) ?? logWealth(side, errors)
    known[side].set(errors, log)
    return log
  }
}

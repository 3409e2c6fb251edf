import { basename } from 'node:path'
import type { LearnerChoice } from '../../core/learner-choice.ts'
import { isFor, type Label } from '../../core/record.ts'
import type { Phase, Project } from '../../protocol/project.ts'
import { offeredStrategy } from '../strategies.ts'
import { answersFor, type ForecastInputs } from '../worker/audit-forecast.ts'
import type { OpeningStep } from '../worker/worker-protocol.ts'
import { forecastInputsOf, nowView } from './now-view.ts'
import type { RecordedRound } from './record.ts'
import { classNames, isCertified, roundsFor, type SessionState } from './state.ts'

const tolerances = [0.1, 0.05, 0.03, 0.02, 0.01]

export function projectView(state: SessionState): Project {
  const { name, source, labelling, plan, nextPlan, loaded, phase, record, models, audits } = state
  const inputs = forecastInputsOf(state)
  const asked = record.rounds.filter((round) => !isFor('given', round))
  const newest = models.at(-1)
  const audit = audits.view()
  return {
    name: basename(name, '.alis'),
    path: name,
    pool: basename(poolPath(state)),
    points: loaded?.points ?? 0,
    features: loaded?.features ?? 0,
    question: labelling.question,
    guidelines: labelling.guidelines,
    classes: [...labelling.classes],
    view: loaded?.view ?? { kind: 'row' },
    purpose: source.kind === 'predictions' ? 'audit' : 'learn',
    strategy: offeredStrategy(source.kind === 'predictions' ? source.audit.strategy : plan.strategy),
    plan,
    ...(nextPlan && { nextPlan }),
    phase,
    answers: asked.reduce((sum, { answers }) => sum + answers.size, 0),
    byClass: answersByClass(asked, classNames(state)),
    rounds: state.readRounds?.(record.rounds) ?? [],
    ...(source.kind !== 'predictions' && { now: nowView(state) }),
    ...(newest && {
      model: { id: newest.id, after: newest.round + 1, ...(newest.choice && { choice: choiceView(newest.choice) }) },
    }),
    isCertified: isCertified(state),
    ...(inputs && { forecast: forecasts(inputs) }),
    ...(audit && { audit }),
    certificates: state.certificates.summaries(models),
  }
}

function poolPath({ settings, source, name }: SessionState): string {
  if (source.kind === 'predictions') return source.predicted.path
  return settings?.pool.path ?? (source.kind === 'new' ? source.beginning.path : name)
}

/** In the order of the classes; "cannot tell" last, where there is one. */
function answersByClass(rounds: readonly RecordedRound[], classes: readonly string[]): Project['byClass'] {
  const counts = new Map<Label, number>(classes.map((name) => [name, 0]))
  for (const label of rounds.flatMap(({ answers }) => [...answers.values()])) counts.set(label, (counts.get(label) ?? 0) + 1)
  return [...counts].map(([label, answers]) => ({ label, answers }))
}

const choiceView = ({ learner, labels, tried }: LearnerChoice) => ({ learner, labels, tried: [...tried] })

const forecasts = (inputs: ForecastInputs) =>
  inputs.points === 0 ? [] : tolerances.map((tolerance) => ({ tolerance, answers: answersFor(inputs, tolerance, 0.95).answers }))

export function openingPhase(state: SessionState, step: OpeningStep): Phase {
  const { record, audits, loaded, settings, plan, nextPlan } = state
  const purpose = audits.current() ? 'audit' : 'learn'
  const labels = record.rounds.flatMap((round) => [...round.answers.values()])
  const points = (loaded?.points ?? 0) - new Set(record.rounds.flatMap(({ ids }) => [...ids])).size
  const batch = roundsFor(state, 'learn') === 0 ? (settings?.start ?? 10) : (nextPlan ?? plan).batch
  return {
    kind: 'opening',
    purpose,
    number: roundsFor(state, purpose) + 1,
    step,
    answers: labels.filter((label) => label !== null).length,
    points,
    size: Math.min(points, purpose === 'audit' ? audits.batch() : batch),
  }
}

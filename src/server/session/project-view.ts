import { basename } from 'node:path'
import { isFor } from '../../core/record.ts'
import type { Phase, Project } from '../../protocol/project.ts'
import { shownStrategy } from '../strategies.ts'
import { answersFor, type Outlook } from '../worker/audit-forecast.ts'
import { byClass } from './closed-rounds.ts'
import { classNames, learnedRounds, roundsFor, type State } from './state.ts'

const tolerances = [0.05, 0.03, 0.02, 0.01]

/** How a project stands, as the page shows it. */
export function shownProject(state: State): Project {
  const { name, source, labelling, plan, nextPlan, loaded, phase, record, models, outlook, audits, readRounds } = state
  const asked = record.rounds.filter((round) => !isFor('given', round))
  const newest = models.at(-1)
  const audit = audits.shown()
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
    strategy: shownStrategy(source.kind === 'predictions' ? source.audit.strategy : plan.strategy),
    plan,
    ...(nextPlan && { nextPlan }),
    phase,
    answers: asked.reduce((sum, { answers }) => sum + answers.size, 0),
    byClass: byClass(asked, classNames(state)),
    rounds: readRounds?.(record.rounds) ?? [],
    ...(newest && { model: { id: newest.id, after: newest.round + 1 } }),
    ...(outlook && outlook.model === newest?.id && { forecast: forecasts(outlook) }),
    ...(audit && { audit }),
    certificates: audits.certificates(),
  }
}

function poolPath({ settings, source, name }: State): string {
  if (source.kind === 'predictions') return source.predicted.path
  return settings?.pool.path ?? (source.kind === 'new' ? source.beginning.path : name)
}

const forecasts = (outlook: Outlook) =>
  outlook.points === 0
    ? []
    : tolerances.map((tolerance) => ({ tolerance, answers: answersFor(outlook, tolerance, 0.95).answers }))

/** The next round is on its way. */
export function openingPhase(state: State, step: 'learn' | 'score' | 'draw'): Phase {
  const { record, audits, loaded, settings, plan, nextPlan } = state
  const purpose = audits.current() ? 'audit' : 'learn'
  const said = record.rounds.flatMap((round) => [...round.answers.values()])
  const points = (loaded?.points ?? 0) - new Set(record.rounds.flatMap(({ ids }) => [...ids])).size
  const batch = learnedRounds(state).length === 0 ? (settings?.start ?? 10) : (nextPlan ?? plan).batch
  return {
    kind: 'opening',
    purpose,
    number: roundsFor(state, purpose) + 1,
    step,
    answers: said.filter((label) => label !== null).length,
    points,
    size: Math.min(points, purpose === 'audit' ? audits.batch() : batch),
  }
}

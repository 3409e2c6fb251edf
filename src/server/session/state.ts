import type { LearnerChoice } from '../../core/learner-choice.ts'
import { choiceOf, type Model } from '../../core/model.ts'
import { isFor } from '../../core/record.ts'
import type { Answer } from '../../oracles/oracle.ts'
import type { AuditOptions } from '../../projects/certify.ts'
import { knownSettings, type Settings } from '../../projects/settings.ts'
import type { Content } from '../../protocol/points.ts'
import type { LabellingPlan, Phase, Project as ProjectView } from '../../protocol/project.ts'
import type { Project } from '../../stores/project.ts'
import { keyed } from '../../text/class-keys.ts'
import type { ForecastInputs } from '../worker/audit-forecast.ts'
import type { Beginning, Loaded, Predicted } from '../worker/worker-protocol.ts'
import { openAudits } from './audits.ts'
import type { Broadcast } from './broadcast.ts'
import { openCertificates } from './certificates.ts'
import { pointClaims } from './claims.ts'
import type { closedRoundReader } from './closed-rounds.ts'
import { paceKeeper } from './pace.ts'
import { openRecord, type RecordedRound } from './record.ts'
import { openShownDraws } from './shown-draws.ts'

/** What people are asked and told: on record since labelling began. */
export type Labelling = Readonly<Pick<ProjectView, 'question' | 'guidelines' | 'classes'>>

/** What a session works on: a project that is there, one to begin, or predictions to measure. */
export type Source =
  | { readonly kind: 'known' }
  | { readonly kind: 'new'; readonly beginning: Beginning; readonly labelling: Labelling }
  | { readonly kind: 'predictions'; readonly predicted: Predicted; readonly audit: AuditOptions; readonly labelling: Labelling }

export interface StateOptions {
  readonly project: Project
  /** The path of the project as it was given to the command. */
  readonly name: string
  readonly source: Source
  readonly events: Broadcast
}

/** The round that people are asked about, and the call of the worker that waits for their answers. */
interface CurrentRound {
  readonly round: RecordedRound
  /** The points that the worker asked about: those without an answer then. */
  readonly asked: ReadonlySet<string>
  readonly contents: ReadonlyMap<string, Content>
  resolve(answers: readonly Answer[] | null): void
}

export type SessionState = Awaited<ReturnType<typeof openState>>

const usualPlan: LabellingPlan = { strategy: 'alis', batch: 10, budget: 400 }

/** What a session holds in memory; what must not be lost is in the project as well. `tellPages`: sends them the project. */
export async function openState(options: StateOptions, tellPages: () => void) {
  const { project, name, source, events } = options
  const record = await openRecord(project)
  const predictions = source.kind === 'predictions' ? { path: source.predicted.path, options: source.audit } : undefined
  const certificates = await openCertificates({ project, name, record, predictions: predictions?.path })
  const settings = await knownSettings(project)
  let isAnnouncing = false
  const state = {
    ...options,
    record,
    certificates,
    audits: await openAudits({ project, record, certificates, predictions }),
    claims: pointClaims(events),
    shown: await openShownDraws(
      project,
      record.rounds.findLast(({ isClosed }) => !isClosed),
    ),
    phase: { kind: 'loading', share: null } as Phase,
    settings,
    labelling: await labellingOf(project, source, settings),
    plan: (await project.recall<LabellingPlan>('plan')) ?? planOf(source, settings),
    /** From the next round on. */
    nextPlan: undefined as LabellingPlan | undefined,
    loaded: undefined as Loaded | undefined,
    models: (await project.models()).map(({ model, round }) => modelSummary(model, round)),
    forecastInputs: undefined as ForecastInputs | undefined,
    /** What was said of models after rounds, oldest first. */
    looks: await project.looks(),
    /** One is under way, of the record as it stood when it began. */
    isLooking: false,
    pace: paceKeeper((await project.answers()).map(({ time }) => Date.parse(time))),
    current: undefined as CurrentRound | undefined,
    readRounds: undefined as ReturnType<typeof closedRoundReader> | undefined,
    /** The plan or answers were changed: learning is to begin anew from the record. */
    isStale: false,
    /** Learning is to go on although the newest model is certified: another one comes of it. */
    isLearningOn: false,
    /** The job under way is to stop before it draws again. */
    isCancelled: false,
    isClosed: false,
    setPhase(phase: Phase): void {
      state.phase = phase
      state.announce()
    },
    /** Tells pages once of all changes of a turn. */
    announce(): void {
      if (isAnnouncing || state.isClosed) return
      isAnnouncing = true
      setImmediate(() => {
        isAnnouncing = false
        if (!state.isClosed) tellPages()
      })
    },
  }
  return state
}

async function labellingOf(project: Project, source: Source, settings: Settings | undefined): Promise<Labelling> {
  if (source.kind !== 'known') return source.labelling
  const known = await project.recall<Labelling>('labelling')
  return known ?? { question: 'Which class is this?', guidelines: '', classes: keyed(settings?.classes ?? []) }
}

function planOf(source: Source, settings: Settings | undefined): LabellingPlan {
  if (source.kind === 'new') return source.beginning.plan
  return settings ? { ...usualPlan, strategy: settings.strategy, batch: settings.batch } : usualPlan
}

export const classNames = ({ labelling }: SessionState): string[] => labelling.classes.map(({ name }) => name)

/** Whether the newest certificate is about the newest model. */
export const isCertified = ({ certificates, models }: SessionState): boolean =>
  models.length > 0 && certificates.newestModel() === models.at(-1)!.id

/** A certified model stays as it is until people have it learn on. */
export const isAtRest = (state: SessionState): boolean => isCertified(state) && !state.isLearningOn

/** What pages are told of a model. */
export interface ModelSummary {
  readonly id: string
  /** The learning round it was made after. */
  readonly round: number
  readonly choice?: LearnerChoice
}

export function modelSummary(model: Model, round: number): ModelSummary {
  const choice = choiceOf(model)
  return { id: model.id, round, ...(choice && { choice }) }
}

/** Rounds so far, as people count. */
export const roundsFor = ({ audits, record }: SessionState, purpose: 'learn' | 'audit'): number =>
  purpose === 'audit' ? audits.rounds().length : record.rounds.filter((round) => isFor('learn', round)).length

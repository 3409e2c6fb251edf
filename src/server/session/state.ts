import { isFor } from '../../core/record.ts'
import type { Answer } from '../../oracles/oracle.ts'
import type { AuditOptions } from '../../projects/certify.ts'
import { knownSettings, type Settings } from '../../projects/settings.ts'
import type { Content } from '../../protocol/points.ts'
import type { Class, LabellingPlan, Phase } from '../../protocol/project.ts'
import type { Project } from '../../stores/project.ts'
import { keyed } from '../../text/class-keys.ts'
import type { Outlook } from '../worker/audit-forecast.ts'
import type { Beginning, Loaded, Predicted } from '../worker/worker-protocol.ts'
import { type AuditBook, auditBook } from './audits.ts'
import { claimBook } from './claims.ts'
import type { roundReader } from './closed-rounds.ts'
import type { Feed } from './feed.ts'
import { type KeptRound, type Record, recordOf } from './record.ts'

/** What people are asked and told: on record since labelling began. */
export interface Labelling {
  readonly question: string
  readonly guidelines: string
  readonly classes: readonly Class[]
}

/** What a session works on: a project that is there, one to begin, or predictions to measure. */
export type Source =
  | { readonly kind: 'known' }
  | { readonly kind: 'new'; readonly beginning: Beginning; readonly labelling: Labelling }
  | { readonly kind: 'predictions'; readonly predicted: Predicted; readonly audit: AuditOptions; readonly labelling: Labelling }

export interface StateOptions {
  readonly project: Project
  /** As it was named by whoever opened it. */
  readonly name: string
  readonly source: Source
  readonly feed: Feed
}

/** A round that people are at: what its points look like, which were asked for, and who waits for the answers. */
export interface Asking {
  readonly round: KeptRound
  readonly asked: ReadonlySet<string>
  readonly contents: ReadonlyMap<string, Content>
  resolve(answers: readonly Answer[] | null): void
}

/** All that a session has in mind. What must not be lost is in the project as well. */
export interface State extends StateOptions {
  readonly record: Record
  readonly audits: AuditBook
  readonly claims: ReturnType<typeof claimBook>
  phase: Phase
  settings: Settings | undefined
  labelling: Labelling
  plan: LabellingPlan
  /** From the next round on. */
  nextPlan: LabellingPlan | undefined
  loaded: Loaded | undefined
  models: readonly { readonly id: string; readonly round: number }[]
  outlook: Outlook | undefined
  asking: Asking | undefined
  readRounds: ReturnType<typeof roundReader> | undefined
  /** The plan or answers were changed: learning is to begin anew from the record. */
  isStale: boolean
  /** What is under way is to be left before it draws again. */
  isLeaving: boolean
  isClosed: boolean
  setPhase(phase: Phase): void
  /** Tells every page how things stand, once for all that happens in a turn. */
  announce(): void
}

const usualPlan: LabellingPlan = { strategy: 'alis', batch: 10, budget: 400 }

/** `tell`: says to every page how things stand. */
export async function openState(options: StateOptions, tell: (state: State) => void): Promise<State> {
  const { project, name, source, feed } = options
  const record = await recordOf(project)
  const predictions = source.kind === 'predictions' ? { path: source.predicted.path, options: source.audit } : undefined
  const settings = await knownSettings(project)
  let isAnnouncing = false
  const state: State = {
    ...options,
    record,
    audits: await auditBook({ project, name, record, predictions }),
    claims: claimBook({ isListening: feed.isListening }),
    phase: { kind: 'loading', share: null },
    settings,
    labelling: await labellingOf(project, source, settings),
    plan: (await project.recall<LabellingPlan>('plan')) ?? planOf(source, settings),
    nextPlan: undefined,
    loaded: undefined,
    models: (await project.models()).map(({ model, round }) => ({ id: model.id, round })),
    outlook: undefined,
    asking: undefined,
    readRounds: undefined,
    isStale: false,
    isLeaving: false,
    isClosed: false,
    setPhase(phase) {
      state.phase = phase
      state.announce()
    },
    announce() {
      if (isAnnouncing || state.isClosed) return
      isAnnouncing = true
      setImmediate(() => {
        isAnnouncing = false
        if (!state.isClosed) tell(state)
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

export const classNames = ({ labelling }: State): string[] => labelling.classes.map(({ name }) => name)
export const learnedRounds = ({ record }: State) => record.rounds.filter((round) => isFor('learn', round))

/** Rounds so far, as people count. */
export const roundsFor = (state: State, purpose: 'learn' | 'audit'): number =>
  purpose === 'audit' ? state.audits.rounds().length : learnedRounds(state).length

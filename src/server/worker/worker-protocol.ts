import type { AuditRound } from '../../audit.ts'
import type { Label } from '../../core/record.ts'
import type { ElsewhereWish } from '../../elsewhere/elsewhere-learner.ts'
import type { Wishes } from '../../features/roles.ts'
import type { LearnerName } from '../../learners/catalogue.ts'
import type { LossName } from '../../losses/catalogue.ts'
import type { Answer } from '../../oracles/oracle.ts'
import type { AuditWishes, PageAudit } from '../../projects/audit-plan.ts'
import type { AuditOptions } from '../../projects/certify.ts'
import type { EngineWish } from '../../projects/pools/engine-choice.ts'
import type { PredictionReading } from '../../projects/predictions/predictions.ts'
import type { Exported, ExportRequest, PageQuery, PredictionPage } from '../../protocol/data.ts'
import type { Content, View } from '../../protocol/points.ts'
import type { LabellingPlan, Phase } from '../../protocol/project.ts'
import type { Report } from '../../protocol/report.ts'
import type { Inspection } from '../../protocol/start.ts'
import type { Project } from '../../stores/project.ts'
import type { ForecastInputs } from './audit-forecast.ts'

/** What a command wants of workers, and no page may ask for. */
export interface WorkerWish extends EngineWish, ElsewhereWish {}

export interface Beginning {
  readonly path: string
  readonly wishes: Wishes
  readonly classes: readonly string[]
  readonly plan: LabellingPlan
  readonly start: number
  readonly loss: LossName
  readonly learner?: LearnerName | undefined
  readonly l2: number
  readonly weighting?: number | undefined
  readonly know?: number | undefined
  readonly seed?: number | undefined
  readonly bits?: 8 | 32 | undefined
}

/** Predictions of a model from elsewhere, to be measured. */
export interface Predicted {
  readonly path: string
  readonly reading: PredictionReading
}

export interface Loaded {
  readonly points: number
  readonly features: number
  readonly view: View
  readonly columns: readonly string[]
  /** Directory that paths of images start from. */
  readonly directory: string
  /** For predictions: the identity of their model. */
  readonly model?: string
}

/** `stale`: the plan or answers were changed, so that learning has to begin anew from the record. */
export type LearnOutcome = 'done' | 'cancelled' | 'stale'

export interface AuditOutcome {
  readonly seal: string
  readonly text: string
  /** For people. */
  readonly page: string
  readonly model: string
}

export interface PredictionQuery extends PageQuery {
  readonly model: string
  readonly answers: ReadonlyMap<string, Label>
  /** Points drawn and not answered: no answer may lean on a prediction. */
  readonly hidden: readonly string[]
}

/** What the worker does. It holds the pool, and does one thing at a time. */
export interface WorkerMethods {
  inspect(path: string, wishes: Wishes): Promise<Inspection>
  /** What an audit of predictions would be. */
  planAudit(path: string, wishes: AuditWishes): Promise<PageAudit>
  begin(path: string, beginning: Beginning): Promise<Loaded>
  load(path: string): Promise<Loaded>
  loadPredictions(predicted: Predicted): Promise<Loaded>
  learn(plan: LabellingPlan): Promise<LearnOutcome>
  /** Of a model of the project by its id, or of the predictions. */
  audit(model: string, options: AuditOptions): Promise<AuditOutcome | 'cancelled'>
  /** What a model of the project expects of an audit of the points that are left. */
  forecastInputs(model: string): Promise<ForecastInputs>
  /** Looks at a model of the project, by its id, and puts on record what the closed rounds say of it. */
  look(model: string): Promise<void>
  /** What the audit of a model, by its id, or of the predictions has found. */
  findings(model: string): Promise<Report>
  contents(ids: readonly string[]): Promise<readonly Content[]>
  /** The fields of some points, whatever the view. */
  fields(ids: readonly string[]): Promise<readonly Readonly<Record<string, string>>[]>
  predictions(query: PredictionQuery): Promise<Pick<PredictionPage, 'rows' | 'found' | 'of'>>
  export(path: string, request: ExportRequest): Promise<Exported>
  close(): Promise<void>
}

/** What the worker needs of the main thread, which keeps the record and talks to the pages. */
export interface ParentMethods
  extends Pick<
    Project,
    | 'begin'
    | 'grow'
    | 'openRound'
    | 'closeRound'
    | 'rounds'
    | 'keepModel'
    | 'models'
    | 'model'
    | 'keepLook'
    | 'looks'
    | 'answers'
    | 'events'
    | 'head'
    | 'recall'
    | 'remember'
    | 'event'
  > {
  /** Waits until people have answered these points, or stopped. Null: the round was abandoned. */
  ask(ids: readonly string[]): Promise<readonly Answer[] | null>
  /** Whether the job is to stop before it draws again. */
  isCancelled(): Promise<boolean>
  /** Whether the plan or answers were changed since the job began. */
  isStale(): Promise<boolean>
  report(progress: JobProgress): Promise<void>
}

export type OpeningStep = Extract<Phase, { kind: 'opening' }>['step']

export type JobProgress =
  | { readonly kind: 'loading'; readonly share: number }
  | { readonly kind: 'step'; readonly step: OpeningStep }
  | { readonly kind: 'audited'; readonly round: AuditStep }

export type AuditStep = Pick<AuditRound, 'questions' | 'best' | 'answered' | 'isReached'>

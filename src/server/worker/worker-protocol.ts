import type { AuditRound } from '../../audit.ts'
import type { Label } from '../../core/record.ts'
import type { Wishes } from '../../features/roles.ts'
import type { Answer } from '../../oracles/oracle.ts'
import type { AuditOptions } from '../../projects/certify.ts'
import type { Reading as PredictionReading } from '../../projects/predictions/predictions.ts'
import type { Exported, PredictionPage } from '../../protocol/data.ts'
import type { Content, View } from '../../protocol/points.ts'
import type { LabellingPlan } from '../../protocol/project.ts'
import type { Inspection } from '../../protocol/start.ts'
import type { TableFormat } from '../../sources/write-table.ts'
import type { Project } from '../../stores/project.ts'
import type { Outlook } from './audit-forecast.ts'

/** What a project is begun with. */
export interface Beginning {
  readonly path: string
  readonly wishes: Wishes
  readonly classes: readonly string[]
  readonly plan: LabellingPlan
  readonly start: number
  readonly loss: 'logistic' | 'squared' | 'squared-hinge'
  readonly l2: number
  readonly weighting?: number | undefined
  readonly seed?: number | undefined
  readonly bits?: 8 | 32 | undefined
}

/** Predictions of somebody else's model, to be measured. */
export interface Predicted {
  readonly path: string
  readonly reading: PredictionReading
}

/** A pool that is ready, as much as is told of it. */
export interface Loaded {
  readonly points: number
  readonly features: number
  readonly view: View
  readonly classes: readonly string[]
  /** What was understood of the columns, in a few lines. */
  readonly columns: readonly string[]
  /** Directory that paths of images start from. */
  readonly directory: string
  /** For predictions: what identifies them, and whether anything tells sure ones from doubtful ones. */
  readonly model?: string
  readonly hasConfidence?: boolean
}

export type LearnOutcome = 'done' | 'left' | 'again'

export interface AuditOutcome {
  readonly seal: string
  readonly text: string
  /** For people. */
  readonly page: string
  readonly model: string
}

export interface PredictionQuery {
  /** By its id. */
  readonly model: string
  readonly search: string
  readonly offset: number
  readonly limit: number
  /** What people said, by id. */
  readonly said: ReadonlyMap<string, Label>
  /** Points drawn and not answered: no answer may lean on a prediction. */
  readonly hidden: readonly string[]
}

/** What the worker does. It holds the pool, and does one thing at a time. */
export interface Worker {
  inspect(path: string, wishes: Wishes): Promise<Inspection>
  /** Begins a project that is empty, with a pool of its own. */
  begin(path: string, beginning: Beginning): Promise<Loaded>
  /** Loads the pool of a project that has begun. */
  load(path: string): Promise<Loaded>
  loadPredictions(predicted: Predicted): Promise<Loaded>
  learn(plan: LabellingPlan): Promise<LearnOutcome>
  /** Of a model of the project by its id, or of the predictions. */
  audit(model: string, options: AuditOptions): Promise<AuditOutcome | 'left'>
  /** What a model of the project expects of an audit of the points that are left. */
  outlook(model: string): Promise<Outlook>
  contents(ids: readonly string[]): Promise<readonly Content[]>
  /** The fields of some points, whatever the view. */
  fields(ids: readonly string[]): Promise<readonly Readonly<Record<string, string>>[]>
  predictions(query: PredictionQuery): Promise<Omit<PredictionPage, 'hidden' | 'after'>>
  export(path: string, format: TableFormat): Promise<Exported>
  close(): Promise<void>
}

/** What the worker needs of the main thread, which keeps the record and knows the people. */
export interface Parent
  extends Pick<
    Project,
    'begin' | 'grow' | 'openRound' | 'closeRound' | 'rounds' | 'keepModel' | 'models' | 'model' | 'recall' | 'remember' | 'event'
  > {
  /** Waits until people have answered, or will not any more. Null: the round is left. */
  ask(ids: readonly string[]): Promise<readonly Answer[] | null>
  /** Whether what is under way is to be left before it draws again. */
  isLeaving(): Promise<boolean>
  /** Whether plan or answers were changed, so that learning is to begin anew from the record. */
  isStale(): Promise<boolean>
  tell(news: News): Promise<void>
}

export type News =
  | { readonly kind: 'loading'; readonly share: number }
  | { readonly kind: 'step'; readonly step: 'learn' | 'score' | 'draw' }
  | { readonly kind: 'audited'; readonly round: Pick<AuditRound, 'round' | 'interval' | 'forecast' | 'isReached'> }

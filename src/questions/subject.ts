import type { StratifiedPool } from '../core/strata.ts'
import type { Columns } from './certificate.ts'
import type { Frame } from './frame.ts'
import type { Learned, LearningRecord } from './learned.ts'

/** What is audited: predictions of a pool, fixed from the first draw to the last. */
export interface AuditSubject {
  readonly pool: StratifiedPool
  readonly frame: Frame
  /** Identity of all that was predicted. */
  readonly model: string
  /** What a record of learning says of the model; missing where it was learned elsewhere. Undefined where the record says nothing. */
  learned?(record: LearningRecord): Promise<Learned | undefined>
}

/** The same, and where it was read from. */
export interface Audited extends AuditSubject {
  /** Hash of the ids of the pool. */
  readonly poolHash: string
  readonly columns: Columns
}

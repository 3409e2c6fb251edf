import type { StratifiedPool } from '../core/strata.ts'
import type { Frame } from './frame.ts'

/** What is audited: predictions of a pool, fixed from the first draw to the last. */
export interface AuditSubject {
  readonly pool: StratifiedPool
  readonly frame: Frame
  /** Identity of all that was predicted. */
  readonly model: string
}

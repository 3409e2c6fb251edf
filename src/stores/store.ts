import type { Model } from '../core/model.ts'
import type { KeptLook } from '../core/now.ts'
import type { Label, RoundFacts, RoundOpening, RunFacts } from '../core/record.ts'

/**
 * The memory of a run. Append-only: a correction is a new fact, never an edit, so that everything can be recomputed
 * from the record.
 */
export interface Store {
  readonly name: string
  /** Records what the run is; on a store that has begun, checks that it is the same. */
  begin(run: RunFacts): Promise<void>
  /** Durable before it resolves: no point may be shown whose draw is not on record. */
  openRound(opening: RoundOpening): Promise<void>
  /** Durable before it resolves. The last answer wins until the round closes; after that, `round-closed`. */
  answer(round: number, id: string, label: Label, by?: { readonly annotator?: string }): Promise<void>
  /** Takes the answer back, in a round that is open; where there is none, nothing happens. */
  retract(round: number, id: string, by?: { readonly annotator?: string }): Promise<void>
  /**
   * `after`: how many of its draws count, in draw order; all, if left out. Those that follow were not shown and have no answer: they stay on
   * record, and the round is handed out without them.
   */
  closeRound(round: number, after?: number): Promise<void>
  /** Answers again in a round that is closed: a new fact, which stands from now on. */
  revise(round: number, id: string, label: Label, by?: { readonly annotator?: string }): Promise<void>
  /** All rounds in order, with the answers that stand; at most the last one is open, and a restart resumes it, never redraws it. */
  rounds(): Promise<readonly RoundFacts[]>
  /** Once for each id. `round`: the learning round it was made after. */
  keepModel(model: Model, round: number): Promise<void>
  models(): Promise<readonly KeptModel[]>
  /** One of them. */
  model(id: string): Promise<Model | undefined>
  /** How good the model was then. The newest comes last. */
  keepLook(look: KeptLook): Promise<void>
  looks(): Promise<readonly KeptLook[]>
  close(): Promise<void>
}

/** A store whose pool may grow. */
export interface GrowingStore extends Store {
  /** Points were added: from now on the run is continued with this pool size. Before the run has begun there is nothing to do. */
  grow(poolSize: number): Promise<void>
}

export interface KeptModel {
  readonly model: Model
  readonly round: number
  readonly time: string
}

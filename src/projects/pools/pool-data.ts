import type { StepWish } from '../../core/feature-blocks.ts'
import type { ColumnModel } from '../../core/model.ts'
import type { Label } from '../../core/record.ts'
import type { FilePool } from '../../elsewhere/messages.ts'
import type { Engine } from '../../engines/engine.ts'
import type { Recipe } from '../../features/recipe.ts'
import type { Roles, Wishes } from '../../features/roles.ts'
import type { Oracle } from '../../oracles/oracle.ts'
import type { Table } from '../../sources/table.ts'
import type { OpenColumns, OpenFile, Points } from './open-file.ts'

export type Bits = 8 | 32

export interface DataOptions extends Wishes {
  readonly positive?: string | undefined
  /** Needed where no column has labels. */
  readonly classes?: readonly string[] | undefined
  /** A share of the rows, or the path of another file. */
  readonly test?: number | string | undefined
  /** Files whose points joined the pool later. */
  readonly added?: readonly string[] | undefined
  /** Bits of a feature where chances are made from it; 32 unless told. */
  readonly bits?: Bits | undefined
  /** Further features to make of the columns. */
  readonly steps?: StepWish | undefined
}

/** How the reading of a pool is watched, what may stop it, and where its features are kept. */
export interface Loading {
  /** The folder of a project's features, where they are kept from one time to the next. */
  readonly folder?: string | undefined
  /** How many numbers features must be to be kept; 2¹⁸ unless told. */
  readonly keptFrom?: number
  /** The folder of a project where the scores of models are kept that were fitted elsewhere. */
  readonly scores?: string | undefined
  readonly progress?: Progress
  readonly signal?: AbortSignal
}

/** Called with how much of a step is done, from 0 to 1. */
export type Progress = (share: number, step: string) => void

/** Points, and what the label column says each is; no labels where there is no such column. */
export interface LabelledPoints extends Points {
  readonly labels: readonly Label[]
}

/** A pool in files whose models a program or service fits. What each says is kept in a file of its own. */
export interface ElsewherePool extends FilePool {
  /** From now on scores are kept in this folder. */
  keepIn(folder: string): void
}

/** A pool with its classes, and the rows set aside to test on, wherever it lies. */
export interface PoolData {
  readonly file: { readonly table: Pick<Table, 'hash' | 'batches' | 'close'>; readonly roles: Roles }
  readonly size: number
  readonly test: LabelledPoints | undefined
  /** Names of the classes, negative first where there are two. */
  readonly classes: readonly string[]
  readonly recipe: Recipe
  /** An engine over all points; each leaves out what it was told to. */
  engine(): Engine
  /** Where the model is not learned but kept in columns: reads what it is now. */
  readonly look?: () => Promise<ColumnModel>
  /** Where models are fitted by a program or service: takes in what each says of the points. */
  readonly elsewhere?: ElsewherePool
  /** Answers from the label column, where there is one. */
  readonly answers: (() => Oracle) | undefined
  /** What a column says of the points of the pool, by id. */
  labelsIn(column: string): Promise<ReadonlyMap<string, Label>>
  /** Writes what was made of the pool to the folder of a project that was not there before, if that is worth it. */
  keep?(folder: string): void
  close(): Promise<void>
}

export interface LoadedData extends PoolData {
  readonly file: OpenColumns & Pick<OpenFile, 'ids'>
  readonly pool: LabelledPoints
}

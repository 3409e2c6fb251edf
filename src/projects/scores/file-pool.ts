import type { FilePool } from '../../elsewhere/messages.ts'
import type { Engine } from '../../engines/engine.ts'
import type { Oracle } from '../../oracles/oracle.ts'
import { chooseEngine, type EngineWish } from '../pools/engine-choice.ts'
import { loadForElsewhere } from './elsewhere.ts'

export interface FilePoolOptions extends EngineWish {
  /** The column that names the points; one called id, or else the number of the row, if left out. */
  readonly id?: string
  /** The column that answers, where there is one: no model gets to see it. */
  readonly label?: string
  /** Needed where no column has labels. Two classes: negative first, positive second. */
  readonly classes?: readonly string[]
  /** Columns that annotators are shown. */
  readonly show?: readonly string[]
  /** Not for the model. */
  readonly ignore?: readonly string[]
  /** The folder where scores are kept, so that a run can be gone on with. Left out, they are gone with the pool. */
  readonly scores?: string
}

/** A pool in files whose models are fitted by a program or service. */
export interface OpenFilePool extends FilePool {
  readonly size: number
  engine(): Engine
  /** Answers from the label column. */
  readonly answers: (() => Oracle) | undefined
  close(): Promise<void>
}

/** Opens files, or several as a pattern, for models that `commandLearner` or `httpLearner` has fitted. */
export async function openFilePool(path: string, { scores, ...options }: FilePoolOptions = {}): Promise<OpenFilePool> {
  const place = await chooseEngine(path, options)
  const { elsewhere, size, engine, answers, close } = await loadForElsewhere(path, options, { scores }, place)
  return { ...elsewhere, size, engine, answers, close }
}

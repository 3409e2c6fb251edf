import type { Database } from './duckdb.ts'
import type { DataFile } from './files.ts'
import type { Scratch } from './scratch.ts'
import type { KnownTable } from './table.ts'

/** What opening a table is busy with: making files ready to be read, reading every cell, counting different values, hashing what is left. */
export type OpeningStep = 'preparing' | 'looking' | 'counting' | 'hashing'

export interface OpenOptions {
  /** Hears how much of the work is done, from 0 to 1 and never backwards, and what is being done. */
  readonly progress?: (share: number, step: OpeningStep) => void
  /** Whether a table may have no rows. Default false. */
  readonly mayBeEmpty?: boolean
  /** Ends the opening with its reason. */
  readonly signal?: AbortSignal
  /** What is known of the table, if its files are still the same. */
  readonly known?: KnownTable | undefined
}

/** An opening under way. Files are hashed while they are read. */
export interface Opening extends OpeningTools {
  readTo(step: Exclude<OpeningStep, 'hashing'>, share: number): void
  hashedTo(bytes: number): void
}

/** The opening of one file: `tell` hears how far it is, in bytes. */
export interface OpeningFile extends OpeningTools {
  tell(bytes: number): void
}

interface OpeningTools {
  readonly mayBeEmpty?: boolean | undefined
  readonly database: Database
  readonly scratch: Scratch
  readonly signal: AbortSignal | undefined
}

const preparedFormats = ['arrow', 'json', 'jsonl', 'inspect', 'sqlite', 'svm', 'npy', 'npz', 'tsv'] // gone through once before their cells are read
const hashingShare = 0.1

export function openingOf(files: readonly DataFile[], tools: OpeningTools, progress: OpenOptions['progress']): Opening {
  const isPrepared = files.some(({ format }) => preparedFormats.includes(format))
  const looking = isPrepared ? 0.4 : 0
  const counting = looking + 0.85 * (1 - looking)
  const spans = { preparing: [0, looking], looking: [looking, counting], counting: [counting, 1] } as const
  const size = files.reduce((sum, { bytes }) => sum + bytes, 0)

  let [read, hashed] = [0, 0]
  let step: OpeningStep = isPrepared ? 'preparing' : 'looking'
  const tell = () => progress?.((1 - hashingShare) * read + hashingShare * hashed, read === 1 ? 'hashing' : step)
  return {
    ...tools,
    readTo(now, share) {
      if (now === 'preparing' && !isPrepared) return
      const [from, to] = spans[now]
      step = now
      read = Math.max(read, from + (to - from) * Math.min(1, share))
      tell()
    },
    hashedTo(bytes) {
      hashed = Math.min(1, bytes / size)
      tell()
    },
  }
}

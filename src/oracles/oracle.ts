import type { Label } from '../core/record.ts'
import type { Signal } from '../core/signal.ts'

export interface Answer {
  readonly id: string
  readonly label: Label
}

/** Whoever answers. Yields each answer as it comes, in any order; the loop puts each on record before it asks for more. */
export interface Oracle {
  readonly name: string
  label(ids: readonly string[], signal?: Signal): AsyncIterable<Answer>
}

import type { Label } from '../core/record.ts'
import type { Signal } from '../core/signal.ts'

export interface Answer {
  readonly id: string
  readonly label: Label
}

/**
 * A source of answers. Yields each answer as it comes, in any order; the loop puts each on record before it asks for more.
 * Where no answer can be had it throws `oracle-failed`: what it yielded stands, and the rest may be asked again.
 */
export interface Oracle {
  readonly name: string
  /** Its name where it is a machine: that is on record with every answer it gives. */
  readonly machine?: string
  label(ids: readonly string[], signal?: Signal): AsyncIterable<Answer>
  close(): Promise<void>
}

/** What an oracle is shown of points, in the order asked for: an engine's `contents`. */
export type Contents = (
  ids: readonly string[],
) => Promise<readonly { readonly id: string; readonly fields: Readonly<Record<string, string>> }[]>

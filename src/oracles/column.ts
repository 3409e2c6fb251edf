import { AlisError } from '../core/errors.ts'
import type { Label } from '../core/record.ts'
import type { Oracle } from './oracle.ts'

/** Answers from a column that was there all along: a simulation. A missing cell is "cannot tell". */
export function columnOracle(labels: ReadonlyMap<string, Label>): Oracle {
  return {
    name: 'column',
    async *label(ids, signal) {
      for (const id of ids) {
        signal?.throwIfAborted()
        const label = labels.get(id)
        if (label === undefined)
          throw new AlisError('oracle-failed', `column: an answer for ${JSON.stringify(id)} is required, got none`)
        yield { id, label }
      }
    },
  }
}

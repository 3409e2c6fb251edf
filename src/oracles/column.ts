import type { Label } from '../core/record.ts'
import type { Oracle } from './oracle.ts'
import { oracleFailed, requireClass } from './reply.ts'

/**
 * Answers from a column that was there all along: a simulation. A missing cell is "cannot tell". A label that is none of the
 * `classes`, where they are given, is refused.
 */
export function columnOracle(labels: Pick<ReadonlyMap<string, Label>, 'get'>, classes?: readonly string[]): Oracle {
  return {
    name: 'column',
    async *label(ids, signal) {
      for (const id of ids) {
        signal?.throwIfAborted()
        const label = labels.get(id)
        if (label === undefined) throw oracleFailed(`column: an answer for ${JSON.stringify(id)} is required, got none`)
        yield { id, label: classes ? requireClass(label, { where: 'column', classes }) : label }
      }
    },
    async close() {},
  }
}

import type { Answer, Oracle } from './oracle.ts'

/**
 * People: hands the points over and waits until all answers are there, or no more will come. Until then an answer can be taken back, so
 * none is passed on before.
 */
export function peopleOracle(ask: (ids: readonly string[]) => Promise<readonly Answer[]>): Oracle {
  return {
    name: 'people',
    async *label(ids, signal) {
      if (ids.length === 0) return
      const answers = await ask(ids)
      signal?.throwIfAborted()
      yield* answers
    },
    async close() {},
  }
}

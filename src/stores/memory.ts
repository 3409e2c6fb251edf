import { AlisError, requireInput } from '../core/errors.ts'
import type { Label, RoundOpening, RunFacts } from '../core/record.ts'
import type { Store } from './store.ts'

/** Facts kept for as long as the process lives: for simulations and tests. */
export function memoryStore(): Store {
  let begun: string | undefined
  const rounds: { opening: RoundOpening; answers: Map<string, Label>; isClosed: boolean }[] = []

  const opened = (round: number) => {
    const found = rounds[round]
    if (!found) throw new AlisError('not-drawn', `round ${round}: must have been opened, got ${rounds.length} rounds`)
    if (found.isClosed) throw new AlisError('round-closed', `round ${round}: must be open, got a closed one`)
    return found
  }

  return {
    name: 'memory',
    async begin(run: RunFacts) {
      const facts = JSON.stringify(run)
      begun ??= facts
      requireInput(facts === begun, `run: must be continued as it was begun, ${begun}, got ${facts}`)
    },
    async openRound(opening) {
      const last = rounds.at(-1)
      if (opening.round !== rounds.length || (last && !last.isClosed))
        throw new AlisError('store-failed', `round ${opening.round}: rounds open one after another, got ${rounds.length} so far`)
      rounds.push({ opening, answers: new Map(), isClosed: false })
    },
    async answer(round, id, label) {
      const { opening, answers } = opened(round)
      if (!opening.draws.some((draw) => draw.id === id))
        throw new AlisError('not-drawn', `answer: a point drawn in round ${round} is required, got ${JSON.stringify(id)}`)
      answers.set(id, label)
    },
    async closeRound(round) {
      opened(round).isClosed = true
    },
    async rounds() {
      return rounds.map(({ opening, answers, isClosed }) => ({ ...opening, answers: new Map(answers), isClosed }))
    },
    async close() {},
  }
}

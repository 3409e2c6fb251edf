import type { Label, RoundOpening, RunFacts } from '../core/record.ts'
import { refusals } from './refusals.ts'
import type { Store } from './store.ts'

/** Facts kept for as long as the process lives: for simulations and tests. */
export function memoryStore(): Store {
  let begun: string | undefined
  const rounds: { opening: RoundOpening; answers: Map<string, Label>; isClosed: boolean }[] = []

  const opened = (round: number) => {
    const found = rounds[round]
    if (!found) throw refusals.notOpened(round, rounds.length)
    if (found.isClosed) throw refusals.closed(round)
    return found
  }

  return {
    name: 'memory',
    async begin(run: RunFacts) {
      const facts = JSON.stringify(run)
      begun ??= facts
      if (facts !== begun) throw refusals.otherRun(begun, facts)
    },
    async openRound(opening) {
      const last = rounds.at(-1)
      if (opening.round !== rounds.length || (last && !last.isClosed)) throw refusals.outOfOrder(opening.round, rounds.length)
      rounds.push({ opening, answers: new Map(), isClosed: false })
    },
    async answer(round, id, label) {
      const { opening, answers } = opened(round)
      if (!opening.draws.some((draw) => draw.id === id)) throw refusals.notDrawn(round, id)
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

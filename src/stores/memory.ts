import type { Label, RoundOpening, RunFacts } from '../core/record.ts'
import { refusals } from './refusals.ts'
import type { KeptModel, Store } from './store.ts'

/** Facts kept for as long as the process lives: for simulations and tests. */
export function memoryStore(): Store {
  let begun: string | undefined
  const rounds: { opening: RoundOpening; answers: Map<string, Label>; isClosed: boolean }[] = []

  const models: KeptModel[] = []

  const known = (round: number) => {
    const found = rounds[round]
    if (!found) throw refusals.notOpened(round, rounds.length)
    return found
  }
  const opened = (round: number) => {
    const found = known(round)
    if (found.isClosed) throw refusals.closed(round)
    return found
  }
  const drawn = (round: number, id: string) => {
    const found = opened(round)
    if (!found.opening.draws.some((draw) => draw.id === id)) throw refusals.notDrawn(round, id)
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
      drawn(round, id).answers.set(id, label)
    },
    async retract(round, id) {
      drawn(round, id).answers.delete(id)
    },
    async closeRound(round) {
      opened(round).isClosed = true
    },
    async revise(round, id, label) {
      const { answers, isClosed } = known(round)
      if (!isClosed) throw refusals.notClosed(round)
      if (!answers.has(id)) throw refusals.notAnswered(round, id)
      answers.set(id, label)
    },
    async rounds() {
      return rounds.map(({ opening, answers, isClosed }) => ({ ...opening, answers: new Map(answers), isClosed }))
    },
    async keepModel(model, round) {
      if (!models.some((kept) => kept.model.id === model.id)) models.push({ model, round, time: new Date().toISOString() })
    },
    async models() {
      return [...models]
    },
    async model(id) {
      return models.find(({ model }) => model.id === id)?.model
    },
    async close() {},
  }
}

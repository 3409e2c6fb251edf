import type { KeptLook } from '../core/now.ts'
import { keepMachine, type Label, type Revision, type RoundFacts, type RoundOpening, type RunFacts } from '../core/record.ts'
import { exactJson } from './exact-json.ts'
import { refusals, requireCut } from './refusals.ts'
import type { GrowingStore, KeptModel } from './store.ts'

/** Facts kept for as long as the process lives: for simulations and tests. */
export function memoryStore(): GrowingStore {
  let begun: RunFacts | undefined
  const rounds: KeptRound[] = []
  const models: KeptModel[] = []
  const looks: KeptLook[] = []

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
      begun ??= { ...run }
      const [before, given] = [JSON.stringify(begun), JSON.stringify(run)]
      if (given !== before) throw refusals.otherRun(before, given)
    },
    async grow(poolSize) {
      if (!begun) return
      if (!Number.isInteger(poolSize) || poolSize < begun.poolSize) throw refusals.notGrown(begun.poolSize, poolSize)
      begun = { ...begun, poolSize }
    },
    async openRound(opening) {
      if (opening.round !== rounds.length) throw refusals.outOfOrder(opening.round, rounds.length)
      if (rounds.at(-1)?.isClosed === false) throw refusals.stillOpen(opening.round, rounds.length - 1)
      rounds.push(keptRound(opening))
    },
    async answer(round, id, label, by) {
      const { answers, machines } = drawn(round, id)
      answers.set(id, label)
      keepMachine(machines, id, by)
    },
    async retract(round, id) {
      drawn(round, id).answers.delete(id)
      drawn(round, id).machines.delete(id)
    },
    async closeRound(round, after) {
      const found = opened(round)
      requireCut(found.opening, found.answers, after)
      found.after = after
      found.isClosed = true
    },
    async revise(round, id, label, by) {
      const { answers, machines, revisions, isClosed } = known(round)
      if (!isClosed) throw refusals.notClosed(round)
      const from = answers.get(id)
      if (from === undefined) throw refusals.notAnswered(round, id)
      revisions.push({ id, from, to: label, opened: rounds.length })
      answers.set(id, label)
      keepMachine(machines, id, by)
    },
    async rounds() {
      return rounds.map(factsOf)
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
    async keepLook(look) {
      looks.push(look)
    },
    async looks() {
      return [...looks]
    },
    async close() {},
  }
}

interface KeptRound {
  readonly opening: Omit<RoundOpening, 'rules'>
  /** As JSON, which no caller can change. */
  readonly rules: string | undefined
  readonly answers: Map<string, Label>
  readonly machines: Map<string, string>
  readonly revisions: Revision[]
  isClosed: boolean
  /** Draws that count, where the round was closed before its end. */
  after: number | undefined
}

function keptRound({ rules, ...opening }: RoundOpening): KeptRound {
  return {
    opening,
    rules: rules && exactJson(rules),
    answers: new Map(),
    machines: new Map(),
    revisions: [],
    isClosed: false,
    after: undefined,
  }
}

function factsOf({ opening, rules, answers, machines, revisions, isClosed, after }: KeptRound): RoundFacts {
  const draws = opening.draws.slice(0, after)
  const signed = machines.size > 0 && { machines: new Map(machines) }
  const facts = { ...opening, draws, answers: new Map(answers), ...signed, revisions: [...revisions], isClosed }
  return rules === undefined ? facts : { ...facts, rules: JSON.parse(rules) }
}

import { afterEach, describe, expect, it } from 'vitest'
import { AlisError } from '../core/errors.ts'
import { dense } from '../core/features.ts'
import { uniform } from '../core/randomness.ts'
import type { Label, RoundFacts } from '../core/record.ts'
import { memoryEngine } from '../engines/memory.ts'
import { logisticLearner } from '../learners/margin-learner.ts'
import { learn } from '../loop.ts'
import { memoryStore } from '../stores/memory.ts'
import type { Store } from '../stores/store.ts'
import { strategies } from '../strategies/catalogue.ts'
import type { Answer, Contents, Oracle } from './oracle.ts'

export const classes = ['ham', 'spam "é"']
const [ham, spam] = classes as [string, string]

/** What an oracle is shown of a point, and must be shown before it may answer. */
export const textOf = (id: string) => `text of ${id}\n\u2028 "é"`
export const contents: Contents = async (ids) => ids.map((id) => ({ id, fields: { text: textOf(id) } }))

/** Points and what an oracle says of them: also what is no label; about what is not there it says nothing. */
export type Knowledge = ReadonlyMap<string, unknown>

const ids = ['plain', 'é"\'\n', '', '__proto__', '  ', '😀', 'a'.repeat(5000)] // ids are not polite
const labels = new Map<string, Label>(ids.map((id, i) => [id, [ham, spam, null][i % 3]!]))

/** What every oracle must do. */
export function describeOracle(name: string, open: (knowledge: Knowledge) => Oracle): void {
  describe(`${name} keeps the oracle contract`, () => {
    const opened: Oracle[] = []
    const oracleOf = (knowledge: Knowledge) => {
      const oracle = open(knowledge)
      opened.push(oracle)
      return oracle
    }
    afterEach(async () => {
      for (const oracle of opened.splice(0)) await oracle.close()
    })

    it('answers every point asked for, once, and "cannot tell" is an answer', async () => {
      const answers = await Array.fromAsync(oracleOf(labels).label(ids))
      expect(answers).toHaveLength(ids.length)
      expect(new Map(answers.map(({ id, label }) => [id, label]))).toEqual(labels)
    })

    it('answers call after call, and nothing where nothing is asked', async () => {
      const oracle = oracleOf(labels)
      expect(await Array.fromAsync(oracle.label([]))).toEqual([])
      for (const id of ids) expect(await Array.fromAsync(oracle.label([id]))).toEqual([{ id, label: labels.get(id) }])
    })

    it('may be left before it is done, and asked again', async () => {
      const oracle = oracleOf(labels)
      let left: Answer | undefined
      for await (const answer of oracle.label(ids)) {
        left = answer
        break
      }
      const rest = ids.filter((id) => id !== left?.id)
      const answers = await Array.fromAsync(oracle.label(rest))
      expect(new Map([left!, ...answers].map(({ id, label }) => [id, label]))).toEqual(labels)
    })

    it.each([['eggs'], ['Ham'], ['ham '], [''], ['null']])('refuses %j, which is no class', async (label) => {
      const { answers, error } = await failureOf(oracleOf(new Map([['a', label]])).label(['a']))
      expect(answers).toEqual([])
      expect(error.message).toContain(`a label must be one of "ham", "spam \\"é\\"", got ${JSON.stringify(label)}`)
    })

    it('says so when an answer is missing; those it gave stand', async () => {
      const { answers, error } = await failureOf(oracleOf(new Map([['a', ham]])).label(['a', 'b']))
      expect(answers).toEqual([{ id: 'a', label: ham }])
      expect(error.hint).toContain('run the same command again to go on')
    })

    it('asks nothing once aborted, and stops between answers, with the reason given', async () => {
      const reason = new Error('enough')
      const oracle = oracleOf(labels)
      await expect(Array.fromAsync(oracle.label(ids, AbortSignal.abort(reason)))).rejects.toBe(reason)
      const stopping = new AbortController()
      const answers: Answer[] = []
      const asking = async () => {
        for await (const answer of oracle.label(ids, stopping.signal)) {
          answers.push(answer)
          stopping.abort(reason)
        }
      }
      await expect(asking()).rejects.toBe(reason)
      expect(answers).toHaveLength(1)
    })

    it('closes as often as one likes', async () => {
      const oracle = oracleOf(labels)
      await Array.fromAsync(oracle.label(ids))
      await oracle.close()
      await oracle.close()
    })

    it('a run in which it fails, and fails again, goes on to the same record as one in which it does not', async () => {
      const whole = memoryStore()
      await run(whole, oracleOf(truth))
      const broken = memoryStore()
      for (const share of [0.5, 0.95]) {
        const partial = new Map([...truth].filter(([id]) => uniform(1, 'known', id) < share))
        await expect(run(broken, oracleOf(partial))).rejects.toMatchObject({ code: 'oracle-failed' })
      }
      expect((await broken.rounds()).length).toBeGreaterThan(0)
      expect(await run(broken, oracleOf(truth))).toBeGreaterThan(0)
      expect(recordOf(await broken.rounds())).toBe(recordOf(await whole.rounds()))
    })
  })
}

/** What came before a failure, and the failure: one we foresaw, that says what to do. */
export async function failureOf(answering: AsyncIterable<Answer>): Promise<{ answers: Answer[]; error: AlisError }> {
  const answers: Answer[] = []
  try {
    for await (const answer of answering) answers.push(answer)
  } catch (error) {
    if (!(error instanceof AlisError)) throw error
    expect(error.code).toBe('oracle-failed')
    expect(error.message).toMatch(/^\S.*: .*, got .*[^.]$/s)
    expect(error.hint).toMatch(/\.$/)
    return { answers, error }
  }
  throw new Error('it did not fail')
}

const size = 120
const points = Array.from({ length: size }, (_, i) => `p${i}`)
const values = Float32Array.from({ length: 2 * size }, (_, k) => 2 * uniform(1, 'feature', `${k}`) - 1)
const truth = new Map<string, Label>(
  points.map((id, i) => [id, uniform(1, 'unsure', id) < 0.1 ? null : values[2 * i]! > 0 ? ham : spam]),
)

async function run(store: Store, oracle: Oracle): Promise<number> {
  const engine = memoryEngine({ ids: points, features: dense(values, 2) })
  const plan = { engine, store, oracle, learner: logisticLearner(), strategy: strategies.alis, classes, seed: 7, rounds: 3 }
  return (await Array.fromAsync(learn(plan))).length
}

/** A record to the last bit, but for the order in which answers came. */
function recordOf(rounds: readonly RoundFacts[]): string {
  return JSON.stringify(rounds.map((round) => ({ ...round, answers: [...round.answers].sort() })))
}

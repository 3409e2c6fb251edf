// The library as people embed it: what they get wrong is refused by name, before anything is paid for or on record.
import { expect, it } from 'vitest'
import { AlisError, columnOracle, learn, memoryStore, type Oracle } from '../../src/index.ts'
import { badCalls, planWith, truth } from './calls.ts'

it.each(badCalls)('$name is refused', async ({ call, message, code = 'bad-input', answers = 0 }) => {
  let paid = 0
  const counting: Oracle = {
    name: 'counting',
    async *label(open) {
      paid += open.length
      yield* columnOracle(truth).label(open)
    },
    async close() {},
  }
  const refusal = await Promise.resolve()
    .then(() => call(counting))
    .catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(AlisError)
  expect({ ...(refusal as AlisError), message: (refusal as AlisError).message }).toMatchObject({ message, code })
  expect(message).toMatch(/^[^\n]+: [^\n]+, got [^\n]*[^.\n]$/)
  expect(paid).toBe(answers)
})

it('a round that its oracle left stays open, with its draws and its answers, and is gone on with', async () => {
  const store = memoryStore()
  const weary: Oracle = { name: 'weary', close: async () => {}, label: (open) => columnOracle(truth).label(open.slice(0, 4)) }
  await expect(learn(planWith({ store, oracle: weary })).next()).rejects.toMatchObject({ code: 'oracle-failed' })
  const [left] = await store.rounds()
  expect(left).toMatchObject({ isClosed: false, answers: { size: 4 } })
  const whole = await Array.fromAsync(learn(planWith({})))
  const resumed = await Array.fromAsync(learn(planWith({ store })))
  expect(resumed.map(({ draws, model }) => [draws, model.id])).toEqual(whole.map(({ draws, model }) => [draws, model.id]))
})

import { describe, expect, it } from 'vitest'
import type { PoolDraw } from '../core/draw.ts'
import { linearModel } from '../core/model.ts'
import type { Revision, RoundOpening, RunFacts } from '../core/record.ts'
import { surveyor } from '../core/survey.ts'
import type { GrowingStore } from './store.ts'

const run: RunFacts = { seed: 7, seedChosen: true, classes: ['no', 'yes'], poolSize: 100 }

const draw = (id: string, order: number): PoolDraw => ({
  id,
  order,
  probability: 0.1 / order,
  mass: 1 / 3,
  remaining: 10 / 3,
  scores: [0.1 + order],
})

const opening = (round: number, ids: readonly string[]): RoundOpening => ({
  round,
  stream: `learn/${round}`,
  strategy: 'alis',
  design: 'successive',
  size: ids.length,
  model: 'sha256:abc',
  survey: surveyor(1).survey(),
  draws: ids.map((id, k) => draw(id, k + 1)),
})

/** Masses of an earlier model. */
const steady = (opened: RoundOpening): RoundOpening => ({
  ...opened,
  draws: opened.draws.map((own) => ({ ...own, predicting: [-1 / 3] })),
})

/** What every store must satisfy. */
export function describeStore(name: string, open: () => Promise<GrowingStore>): void {
  describe(`${name} keeps the store contract`, () => {
    const withStore = (title: string, test: (store: GrowingStore) => Promise<void>) =>
      it(title, async () => {
        const store = await open()
        await store.begin(run)
        await test(store)
        await store.close()
      })

    withStore('is continued only as it was begun', async (store) => {
      await store.begin({ ...run })
      await expect(store.begin({ ...run, seed: 8 })).rejects.toThrow('run: must be continued as it was begun')
    })

    withStore('is continued with a larger pool once it was told that the pool has grown', async (store) => {
      const fresh = await open()
      await fresh.grow(50) // not begun: nothing was said about its size yet
      await fresh.begin(run)
      await fresh.close()
      await expect(store.begin({ ...run, poolSize: 120 })).rejects.toMatchObject({ code: 'bad-input' })
      await store.grow(120)
      await store.grow(120)
      await store.begin({ ...run, poolSize: 120 })
      await expect(store.begin(run)).rejects.toThrow('"poolSize":120')
      for (const size of [119, 120.5, Number.NaN])
        await expect(store.grow(size)).rejects.toThrow(`pool: can only grow, from 120 points, got ${size}`)
    })

    withStore('keeps a model once, exactly, and finds it by its id', async (store) => {
      const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [[0.1, -1 / 3]], intercepts: [5e-324] })
      expect(await store.model(model.id)).toBeUndefined()
      await store.keepModel(model, 3)
      await store.keepModel(model, 4)
      expect(await store.models()).toEqual([{ model, round: 3, time: expect.any(String) }])
      expect(await store.model(model.id)).toEqual(model)
    })

    withStore('keeps every look, in order', async (store) => {
      expect(await store.looks()).toEqual([])
      const limits = { value: 1 / 3, low: 0.1, high: 0.7, level: 0.95, answers: 20, over: 'unanswered', points: 70 } as const
      const looks = [null, limits].map((now, rounds) => ({ model: 'sha256:abc', rounds, revisions: 0, poolSize: 100, now }))
      for (const look of looks) await store.keepLook(look)
      expect(await store.looks()).toEqual(looks)
    })

    withStore('remembers rounds, draws and answers exactly', async (store) => {
      await store.openRound(opening(0, ['a', 'é"\'\n']))
      await store.answer(0, 'a', 'yes')
      await store.answer(0, 'é"\'\n', null)
      await store.closeRound(0)
      await store.openRound(steady(opening(1, ['b', 'c'])))
      await store.answer(1, 'c', 'no')
      const [first, second] = await store.rounds()
      expect(first).toEqual({
        ...opening(0, ['a', 'é"\'\n']),
        answers: new Map([
          ['a', 'yes'],
          ['é"\'\n', null],
        ]),
        revisions: [],
        isClosed: true,
      })
      expect(second).toEqual({
        ...steady(opening(1, ['b', 'c'])),
        answers: new Map([['c', 'no']]),
        revisions: [],
        isClosed: false,
      })
      for (const round of [first, second]) expect(round).not.toHaveProperty('rules')
    })

    withStore('keeps the rules of an audit with its draws, to the last bit and as they were', async (store) => {
      const plans = [{ tolerance: 0.1 + 0.2 }]
      const rules = { isPlain: true, line: [5e-324, -0, 1 / 3, Number.NEGATIVE_INFINITY], plans, '日本 \ud800': null, none: {} }
      const kept = structuredClone(rules)
      await store.openRound({ ...opening(0, ['a']), rules })
      plans.push({ tolerance: 1 })
      const [round] = await store.rounds()
      expect(round!.rules).toEqual(kept)
      const given = round!.rules as typeof rules
      given.line[0] = 7
      expect((await store.rounds())[0]!.rules).toEqual(kept)
    })

    withStore('refuses rules that would come back as others, and opens nothing', async (store) => {
      for (const number of [Number.NaN, Float64Array.of(1), new Map([['a', 1]])]) {
        const rules = { belief: { number } }
        await expect(store.openRound({ ...opening(0, ['a']), rules })).rejects.toMatchObject({ code: 'bad-input' })
      }
      expect(await store.rounds()).toEqual([])
    })

    withStore('keeps the last answer until the round closes, and then none', async (store) => {
      await store.openRound(opening(0, ['a']))
      await store.answer(0, 'a', 'yes')
      await store.answer(0, 'a', 'no')
      await store.closeRound(0)
      await expect(store.answer(0, 'a', 'yes')).rejects.toMatchObject({ code: 'round-closed' })
      expect((await store.rounds())[0]!.answers.get('a')).toBe('no')
    })

    withStore('ends a round after a draw, and hands it out without those that follow', async (store) => {
      await store.openRound(opening(0, ['a', 'b', 'c', 'd']))
      await store.answer(0, 'b', 'yes')
      for (const after of [1, 5, 2.5, Number.NaN])
        await expect(store.closeRound(0, after)).rejects.toThrow('round 0: a whole number of draws from 2 to 4 is required')
      await store.closeRound(0, 3)
      await store.openRound(opening(1, ['d']))
      await store.closeRound(1, 0)
      const [first, second] = await store.rounds()
      expect(first).toMatchObject({ isClosed: true, size: 4 })
      expect(first!.draws.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
      expect([...first!.answers]).toEqual([['b', 'yes']])
      expect(second!.draws).toEqual([])
    })

    withStore('takes an answer back while the round is open, and not after', async (store) => {
      await store.openRound(opening(0, ['a', 'b']))
      await store.answer(0, 'a', 'yes')
      await store.answer(0, 'b', 'yes')
      await store.retract(0, 'a')
      await store.retract(0, 'a')
      expect([...(await store.rounds())[0]!.answers]).toEqual([['b', 'yes']])
      await store.answer(0, 'a', null)
      expect((await store.rounds())[0]!.answers.get('a')).toBe(null)
      await expect(store.retract(0, 'z')).rejects.toMatchObject({ code: 'not-drawn' })
      await store.closeRound(0)
      await expect(store.retract(0, 'a')).rejects.toMatchObject({ code: 'round-closed' })
    })

    withStore('revises answers of closed rounds only', async (store) => {
      await expect(store.revise(0, 'a', 'no')).rejects.toMatchObject({ code: 'not-drawn' })
      await store.openRound(opening(0, ['a', 'b']))
      await store.answer(0, 'a', 'yes')
      await expect(store.revise(0, 'a', 'no')).rejects.toMatchObject({ code: 'bad-input' })
      await store.closeRound(0)
      await expect(store.revise(0, 'b', 'no')).rejects.toMatchObject({ code: 'not-drawn' })
      await store.revise(0, 'a', 'no')
      await store.revise(0, 'a', null)
      expect([...(await store.rounds())[0]!.answers]).toEqual([['a', null]])
    })

    withStore('says what was revised, from what, in which order and how many rounds were on record then', async (store) => {
      await store.openRound(opening(0, ['a', 'b']))
      await store.answer(0, 'a', 'no')
      await store.answer(0, 'a', 'yes')
      await store.answer(0, 'b', null)
      await store.closeRound(0)
      await store.revise(0, 'b', 'yes')
      await store.openRound(opening(1, ['c']))
      await store.revise(0, 'a', 'no')
      await store.answer(1, 'c', 'no')
      await store.closeRound(1)
      await store.revise(1, 'c', null)
      await store.revise(0, 'a', 'yes')
      const [first, second] = await store.rounds()
      expect(first!.revisions).toEqual([
        { id: 'b', from: null, to: 'yes', opened: 1 },
        { id: 'a', from: 'yes', to: 'no', opened: 2 },
        { id: 'a', from: 'no', to: 'yes', opened: 2 },
      ])
      expect(second!.revisions).toEqual([{ id: 'c', from: 'no', to: null, opened: 2 }])
      expect(first!.answers).toEqual(new Map([['a', 'yes'], ['b', 'yes']])) // biome-ignore format: two answers
    })

    withStore('takes answers only for points that were drawn', async (store) => {
      await expect(store.answer(0, 'a', 'yes')).rejects.toMatchObject({ code: 'not-drawn' })
      await store.openRound(opening(0, ['a']))
      await expect(store.answer(0, 'z', 'yes')).rejects.toMatchObject({ code: 'not-drawn' })
    })

    withStore('opens rounds one after another', async (store) => {
      await expect(store.openRound(opening(1, ['a']))).rejects.toMatchObject({ code: 'store-failed' })
      await store.openRound(opening(0, ['a']))
      await expect(store.openRound(opening(0, ['a']))).rejects.toMatchObject({ code: 'store-failed' })
      // Nor labels that were not drawn, while an audit asks.
      await expect(store.openRound({ ...opening(1, ['b']), stream: 'given/1' })).rejects.toMatchObject({
        code: 'store-failed',
        message: 'round 1: the round before must be closed, got round 0, still open',
        hint: 'Finish or close the open round first.',
      })
      await store.closeRound(0)
      await store.openRound({ ...opening(1, ['b']), stream: 'given/1' })
      expect((await store.rounds()).map(({ stream }) => stream)).toEqual(['learn/0', 'given/1'])
    })

    withStore('what it hands out cannot change what it keeps', async (store) => {
      await store.openRound(opening(0, ['a']))
      const round = (await store.rounds())[0]!
      ;(round.answers as Map<string, string>).set('a', 'forged')
      ;(round.revisions as Revision[]).push({ id: 'a', from: 'no', to: 'forged', opened: 1 })
      const { answers, revisions } = (await store.rounds())[0]!
      expect([answers.size, revisions.length]).toEqual([0, 0])
    })
  })
}

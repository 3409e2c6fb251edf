import { describe, expect, it } from 'vitest'
import type { PoolDraw } from '../core/draw.ts'
import { linearModel } from '../core/model.ts'
import type { RoundOpening, RunFacts } from '../core/record.ts'
import { surveyor } from '../core/survey.ts'
import type { Store } from './store.ts'

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
  draws: opened.draws.map((own) => ({ ...own, latest: [-1 / 3] })),
})

/** What every store must satisfy. */
export function describeStore(name: string, open: () => Promise<Store>): void {
  describe(`${name} keeps the store contract`, () => {
    const withStore = (title: string, test: (store: Store) => Promise<void>) =>
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

    withStore('keeps a model once, exactly, and finds it by its id', async (store) => {
      const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [[0.1, -1 / 3]], intercepts: [5e-324] })
      expect(await store.model(model.id)).toBeUndefined()
      await store.keepModel(model, 3)
      await store.keepModel(model, 4)
      expect(await store.models()).toEqual([{ model, round: 3, time: expect.any(String) }])
      expect(await store.model(model.id)).toEqual(model)
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
        isClosed: true,
      })
      expect(second).toEqual({ ...steady(opening(1, ['b', 'c'])), answers: new Map([['c', 'no']]), isClosed: false })
    })

    withStore('keeps the last answer until the round closes, and then none', async (store) => {
      await store.openRound(opening(0, ['a']))
      await store.answer(0, 'a', 'yes')
      await store.answer(0, 'a', 'no')
      await store.closeRound(0)
      await expect(store.answer(0, 'a', 'yes')).rejects.toMatchObject({ code: 'round-closed' })
      expect((await store.rounds())[0]!.answers.get('a')).toBe('no')
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

    withStore('takes answers only for points that were drawn', async (store) => {
      await expect(store.answer(0, 'a', 'yes')).rejects.toMatchObject({ code: 'not-drawn' })
      await store.openRound(opening(0, ['a']))
      await expect(store.answer(0, 'z', 'yes')).rejects.toMatchObject({ code: 'not-drawn' })
    })

    withStore('opens rounds one after another', async (store) => {
      await expect(store.openRound(opening(1, ['a']))).rejects.toMatchObject({ code: 'store-failed' })
      await store.openRound(opening(0, ['a']))
      await expect(store.openRound(opening(1, ['b']))).rejects.toMatchObject({ code: 'store-failed' })
    })

    withStore('what it hands out cannot change what it keeps', async (store) => {
      await store.openRound(opening(0, ['a']))
      const answers = (await store.rounds())[0]!.answers as Map<string, string>
      answers.set('a', 'forged')
      expect((await store.rounds())[0]!.answers.size).toBe(0)
    })
  })
}

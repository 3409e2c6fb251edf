import { describe, expect, it } from 'vitest'
import { linearModel, type Model } from '../core/model.ts'
import { logistic } from '../losses/logistic.ts'
import { type GivenPrediction, GivenPredictions } from './given-predictions.ts'

const classes = ['no', 'yes']
const modelOf = (weight: number) => linearModel({ classes, loss: 'logistic', weights: [[weight]], intercepts: [0] })

/** An engine whose models give "yes" to the points after the one of their weight, with a chance of 0.7. */
const predictions = async function* ({ weights }: Pick<ReturnType<typeof modelOf>, 'weights'>) {
  yield ['p0', 'p1', 'p2', 'p3'].map((id, k) => {
    const label = k > weights[0]![0]! ? 1 : 0
    return { id, label, probabilities: label === 1 ? [0.3, 0.7] : [0.7, 0.3] }
  })
}
const pool = (drawn: readonly string[] = []) => ({
  ...{ engine: { predictions } as never, loss: logistic },
  isDrawn: (id: string) => drawn.includes(id),
})
const given = (...labels: readonly string[]): GivenPrediction[] => labels.map((label, k) => ({ id: `p${k}`, label }))

describe('predictions from elsewhere', () => {
  it('are compared with each model over the points that may be drawn, newest last', async () => {
    const own = new GivenPredictions(given('no', 'no', 'yes', 'yes'), classes)
    expect(await own.beside([modelOf(0), modelOf(1)], pool())).toEqual({
      ...{ points: 4, differing: [1, 0] },
      predictedError: expect.closeTo(4 * 0.3, 12), // as the newest has it
    })
    expect(await own.beside([modelOf(0), modelOf(2)], pool(['p1']))).toEqual({
      ...{ points: 3, differing: [0, 1] },
      predictedError: expect.closeTo(0.3 + 0.7 + 0.3, 12),
    })
    expect(await own.beside([], pool())).toEqual({ points: 0, predictedError: 0, differing: [] })
  })

  it('say of their own errors what their confidence leaves', async () => {
    const own = new GivenPredictions(
      [1, 0, 0.25, 0.5].map((confidence, k) => ({ id: `p${k}`, label: 'yes', confidence })),
      classes,
    )
    expect([own.hasConfidence, own.expectedAt('p2'), own.labelOf('p0')]).toEqual([true, 0.75, 1])
    expect((await own.beside([modelOf(0)], pool())).predictedError).toBeCloseTo(0 + 1 + 0.75 + 0.5, 12)
    expect(new GivenPredictions(given('no'), classes).expectedAt('p0')).toBeUndefined()
  })

  it.each<[string, () => unknown, string]>([
    ['chance', () => new GivenPredictions([{ id: 'a', label: 'no', confidence: -0.1 }], classes), 'got -0.1 for "a"'],
    ['chance', () => new GivenPredictions([{ id: 'a', label: 'no', confidence: Number.NaN }], classes), 'got NaN for "a"'],
    [
      'class',
      () => new GivenPredictions([{ id: 'a', label: 'maybe' }], classes),
      'predictions: one of no, yes is required, got "maybe"',
    ],
    ['prediction', () => new GivenPredictions([], classes).labelOf('a'), 'got none for "a"'],
  ])('are refused where there is no %s', (_, make, message) => {
    expect(make).toThrow(message)
  })

  it('are refused for points that the pool has not, the first of them too', async () => {
    const own = new GivenPredictions([{ id: 'q', label: 'no' }, ...given('no', 'no', 'yes', 'yes')], classes)
    await expect(own.beside([modelOf(0)], pool())).rejects.toThrow(
      'predictions: one of a point of the pool is required, got one for "q"',
    )
  })

  it('cannot be compared with models that are columns', async () => {
    const columns = { kind: 'columns', id: 'c', classes } as unknown as Model
    const own = new GivenPredictions(given('no', 'no', 'yes', 'yes'), classes)
    await expect(own.beside([columns], pool())).rejects.toThrow('got scores in columns, which are refreshed')
  })

  it('may be had of points that are in the pool no longer, or not yet drawn from it', async () => {
    const extra = new GivenPredictions(given('no', 'no', 'yes', 'yes'), classes)
    await expect(new GivenPredictions(given('no', 'no', 'yes'), classes).beside([modelOf(1)], pool())).rejects.toThrow(
      'got none for "p3"',
    )
    expect((await new GivenPredictions(given('no', 'no', 'yes'), classes).beside([modelOf(1)], pool(['p3']))).points).toBe(3)
    expect(extra.hasConfidence).toBe(false)
  })
})

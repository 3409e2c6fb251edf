import { describe, expect, it } from 'vitest'
import type { ColumnModel, Model } from '../core/model.ts'
import type { Label, RoundFacts } from '../core/record.ts'
import { logistic } from '../losses/logistic.ts'
import { FollowedRecord } from './followed-record.ts'
import { GivenPredictions } from './given-predictions.ts'

const classes = ['no', 'yes']
const size = 2000
const expected = 1 / (1 + Math.E) // the chance of "no" at the score 1, which every point has
const modelOf = (id: string) => ({ kind: 'columns', id, classes }) as unknown as ColumnModel

interface Facts {
  /** How many were right, and how many wrong; in draw order. */
  readonly told: readonly (0 | 1 | null)[]
  readonly changes?: Partial<RoundFacts>
  /** Points that were added before it. */
  readonly added?: number
}

const times = (count: number, wrong: 0 | 1 | null) => new Array<0 | 1 | null>(count).fill(wrong)
/** So many draws of which the last few are wrong. */
const mixed = (count: number, wrong: number): Facts => ({ told: [...times(count - wrong, 0), ...times(wrong, 1)] })

/** A record that begins with a start of ten draws, by one model from there on that gives "yes" to every point. */
function recordOf(...facts: readonly Facts[]): RoundFacts[] {
  let left = size
  return [mixed(10, 2), ...facts].map(({ told, changes, added = 0 }, round) => {
    const points = left + added
    left = points - told.length
    const draws = told.map((_, k) => ({
      id: `r${round} ${k}`,
      order: k,
      mass: 1,
      probability: 1 / (points - k),
      remaining: points - k,
      scores: [1],
    }))
    const answers = new Map<string, Label>(
      told.flatMap((wrong, k) => (wrong === null ? [] : [[draws[k]!.id, classes[1 - wrong]!]])),
    )
    const control = { predictedLoss: points * expected, predictedVariance: points * expected * (1 - expected) }
    return {
      ...{ round, stream: `learn/${round}`, strategy: 's', design: 'successive', size: draws.length, model: 'm', draws, answers },
      survey: {
        points,
        mass: points,
        smallestMass: 1,
        controls: [{ ...control, largestUp: 1 - expected, largestDown: expected }],
      },
      ...{ revisions: [], isClosed: true },
      ...changes,
    } as unknown as RoundFacts
  })
}

/** Follows a record of a pool; counts how often models are compared. */
function follow({
  predictedError = 500,
  differing = 0,
  level,
}: {
  predictedError?: number
  differing?: number
  level?: number
} = {}) {
  let points = size
  const asked: number[] = []
  const grow = (added: number) => {
    points += added
  }
  const compare = async ({ earlier }: { readonly earlier: readonly Model[] }) => {
    asked.push(earlier.length)
    return { points, predictedError, differing: earlier.map(() => differing) }
  }
  const engine = { compare, take: async (ids: readonly string[]) => grow(-ids.length) }
  const source = { engine, loss: logistic, classes, modelOf: async (id: string) => modelOf(id), ...(level && { level }) }
  const followed = new FollowedRecord(source as unknown as ConstructorParameters<typeof FollowedRecord>[0])
  return {
    asked,
    followed,
    grow,
    look: async (rounds: readonly RoundFacts[], model = modelOf('m')) => {
      await followed.read(rounds)
      return (await followed.look(model))!
    },
  }
}

const counts = ({ low, high, points }: { readonly low: number; readonly high: number; readonly points: number }) =>
  [low, high].map((share) => Math.round(share * points)) as [number, number]

describe('what was said of a model', () => {
  const good = new Array<Facts>(9).fill(mixed(50, 0))
  const poor = new Array<Facts>(9).fill(mixed(50, 25))

  it.each([
    [40, 10],
    [10, 40],
  ])('holds on, but for the errors that are found since: %i and %i of fifty, in turns', async (odd, even) => {
    const facts = Array.from({ length: 8 }, (_, k) => (k % 2 === 0 ? odd : even))
    const recordUntil = (rounds: number) => recordOf(...facts.slice(0, rounds).map((wrong) => mixed(50, wrong)))
    const { look } = follow()
    let [low, high] = [0, size]
    for (const [k, wrong] of facts.entries()) {
      const said = await look(recordUntil(k + 1))
      expect(said).toEqual(await follow().look(recordUntil(k + 1))) // whether it was looked at before or not
      const [least, most] = counts(said)
      expect(least).toBeGreaterThanOrEqual(low - wrong)
      expect(most).toBeLessThanOrEqual(high - wrong)
      ;[low, high] = [least, most]
    }
  })

  it('has limits in their order, though draws contradict each other', async () => {
    const { low, high, value } = await follow().look(recordOf(...good, ...new Array<Facts>(4).fill(mixed(50, 50))))
    expect(low).toBeLessThanOrEqual(high)
    expect([value >= low, value <= high]).toEqual([true, true])
  })

  it('is as sure as was asked', async () => {
    const [usual, less] = await Promise.all([
      follow().look(recordOf(...poor.slice(6))),
      follow({ level: 0.5 }).look(recordOf(...poor.slice(6))),
    ])
    expect([usual.level, less.level]).toEqual([0.95, 0.5])
    expect(less.high - less.low).toBeLessThan(usual.high - usual.low)
  })
})

describe('a record that is looked at while it grows', () => {
  const before = [mixed(50, 5), mixed(50, 5)]
  const half = recordOf(...before, { told: [...times(20, 0), ...times(30, null)], changes: { isClosed: false } })
  const whole = recordOf(...before, mixed(50, 10))

  it('says what one says that is looked at once', async () => {
    const { look } = follow()
    expect((await look(half)).answers).toBe(130)
    expect(await look(whole)).toEqual(await follow().look(whole))
    const later = recordOf(...before, mixed(50, 10), mixed(50, 5))
    expect(await look(later)).toEqual(await follow().look(later))
  })

  it('also where a model was looked at while points waited, and drew the next round', async () => {
    const waiting = recordOf(mixed(50, 5), { told: times(50, null), changes: { isClosed: false } })
    const next = recordOf(mixed(50, 5), mixed(50, 5), mixed(50, 40), mixed(50, 10))
    const { look } = follow()
    await look(waiting)
    expect(await look(next)).toEqual(await follow().look(next))
  })

  it('also after so many draws that the first bets are given up', async () => {
    const many = Array.from({ length: 26 }, (_, k) => mixed(50, k % 2 === 0 ? 10 : 40))
    const { look } = follow()
    for (let rounds = 2; rounds < many.length; rounds += 4) await look(recordOf(...many.slice(0, rounds)))
    const whole = recordOf(...many)
    expect(await look(whole)).toEqual(await follow().look(whole))
  })

  it('waits for the last answer of a round of independent draws', async () => {
    const independent = (changes: Partial<RoundFacts>) =>
      recordOf(...before, { told: [...times(20, 0), ...times(30, null)], changes: { design: 'bernoulli', ...changes } })
    const { look } = follow()
    expect((await look(independent({ isClosed: false }))).answers).toBe(110)
    expect((await look(independent({}))).answers).toBe(160)
  })

  it('forgets what it knew where answers are revised, however often', async () => {
    const revised = (...ids: readonly string[]) =>
      whole.map((round) => ({
        ...round,
        answers: new Map([...round.answers].map(([id, label]) => [id, ids.includes(id) ? 'no' : label])),
        revisions: ids.filter((id) => round.answers.has(id)).map((id) => ({ id, from: 'yes', to: 'no', opened: 4 })),
      }))
    const { look } = follow()
    await look(whole)
    const ids = Array.from({ length: 12 }, (_, k) => [`r1 ${k}`, `r2 ${k}`]).flat()
    for (const some of [ids.slice(0, 12), ids])
      expect(await look(revised(...some))).toEqual(await follow().look(revised(...some)))
  })
})

describe('the error to expect', () => {
  it('is that of points that may be drawn, for points that wait for an answer as well', async () => {
    const open = recordOf(mixed(50, 5), { told: times(40, null), changes: { isClosed: false } })
    const valueAt = async (predictedError: number, model?: ColumnModel) =>
      (await follow({ predictedError }).look(open, model)).value
    const [low, high] = [500, 501.3]
    // Of this model, what it expects of those that wait is on record, too; of another one nothing is.
    expect(((await valueAt(high)) - (await valueAt(low))) * (size - 60)).toBeCloseTo(high - low, 9)
    const other = modelOf('other')
    expect(((await valueAt(high, other)) - (await valueAt(low, other))) * (size - 100)).toBeCloseTo(high - low, 9)
  })

  it('is asked of predictions from elsewhere, at those points', async () => {
    const open = recordOf(mixed(50, 5), { told: times(40, null), changes: { isClosed: false } })
    const { followed } = follow()
    await followed.read(open)
    const said = (confidence: number) => {
      const ids = open[2]!.draws.map(({ id }) => id)
      const given = new GivenPredictions(
        ids.map((id) => ({ id, label: 'yes', confidence })),
        classes,
      )
      return followed.lookAt(Object.assign(given, { beside: async () => ({ points: 100, predictedError: 10, differing: [0] }) }))
    }
    const [sure, less] = [(await said(0.9))!, (await said(0.8))!]
    expect((less.value - sure.value) * 140).toBeCloseTo(0.1 * 40, 9)
  })
})

describe('models are compared', () => {
  const rounds = recordOf(mixed(50, 5), mixed(50, 5), mixed(50, 5))

  it('once for the look at one, and the round that is opened with it', async () => {
    const { look, asked } = follow()
    await look(rounds.slice(0, 3))
    expect(asked).toEqual([1, 1]) // the second round of the model beside its first; then the look
    await look(rounds)
    expect(asked).toEqual([1, 1, 1])
  })

  it('again where labels were given in between, or points added', async () => {
    const { look, asked, grow } = follow()
    await look(rounds.slice(0, 3))
    grow(5)
    await look(recordOf(mixed(50, 5), mixed(50, 5), { ...mixed(50, 5), added: 5 }))
    expect(asked).toEqual([1, 1, 1, 1])
    const other = follow()
    await other.look(rounds.slice(0, 3))
    const given = { told: times(5, 0), changes: { stream: 'given/3' } }
    other.grow(5)
    await other.look(recordOf(mixed(50, 5), mixed(50, 5), given, { ...mixed(50, 5), added: 5 })) // as many points, and others
    expect(other.asked).toEqual([1, 1, 1, 1])
  })
})

import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { dense } from '../core/features.ts'
import { uniform } from '../core/randomness.ts'
import { memoryEngine } from '../engines/memory.ts'
import { logisticLearner } from '../learners/margin-learner.ts'
import { learn } from '../loop.ts'
import { type Ingredient, pure } from '../masses/mass.ts'
import { columnOracle } from '../oracles/column.ts'
import { memoryStore } from '../stores/memory.ts'
import { alis, alisStrategy } from './alis.ts'
import { strategyNamed } from './catalogue.ts'
import { type Strategy, suitedTo } from './strategy.ts'

it('looks at the boundary where that takes no time, and at the score alone where the pool is large or wide', () => {
  const looksAtBoundary = (size: number, columns: number) => suitedTo(alis, { size, columns }).forms !== undefined
  expect(looksAtBoundary(1797, 64)).toBe(true)
  expect(looksAtBoundary(20_000, 16)).toBe(true)
  expect(looksAtBoundary(1_000_000, 20)).toBe(false)
  expect(looksAtBoundary(50, 1200)).toBe(false)
  expect(looksAtBoundary(50, 270)).toBe(false) // cheap, but wider than a database is asked to square
  expect(looksAtBoundary(5000, 1_000_000)).toBe(false)
  expect(suitedTo(alis, { size: 1_000_000, columns: 20 })).toEqual(alis)
})

const ids = Array.from({ length: 200 }, (_, i) => `p${i}`)
const features = dense(Float32Array.from(ids.flatMap((id) => [uniform(1, 'a', id), uniform(1, 'b', id)])), 2)
const truth = new Map(ids.map((id, i) => [id, features.dot(i, Float64Array.of(1, -1)) > 0 ? 'yes' : 'no']))

async function massesWith(strategy: Strategy) {
  const plan = { engine: memoryEngine({ ids, features }), store: memoryStore(), oracle: columnOracle(truth), seed: 3, rounds: 2 }
  const rounds = []
  for await (const { draws } of learn({ ...plan, learner: logisticLearner(), strategy, classes: ['no', 'yes'] })) {
    rounds.push(draws.map(({ mass }) => mass))
  }
  return rounds
}

it('is drawn from as it suits the pool, after a start that is uniform', async () => {
  const asLearned = await massesWith(alis)
  expect(asLearned).toEqual(await massesWith(suitedTo(alis, { size: 200, columns: 2 })))
  const { suited: _, ...byScoresAlone } = alis
  const large = await massesWith(byScoresAlone)
  expect(large[0]).toEqual(asLearned[0])
  expect(large[1]).not.toEqual(asLearned[1])
})

describe('a strategy that is spread from it', () => {
  const small = { size: 200, columns: 2 }
  const own: Ingredient = { name: 'own', value: ({ probabilities }) => 1 + probabilities[1]! }

  it('draws by a mass of its own', async () => {
    const asked = vi.fn(own.value)
    const [, drawn] = await massesWith({ ...alis, mass: pure({ ...own, value: asked }) })
    expect(asked).toHaveBeenCalled()
    const { suited: _, ...byScoresAlone } = alis
    expect(drawn).toEqual((await massesWith({ ...byScoresAlone, mass: pure(own) }))[1])
    expect(drawn).not.toEqual((await massesWith(alis))[1])
  })

  it('keeps all else that it says, too', () => {
    const forms = async () => []
    expect(suitedTo({ ...alis, forms }, small)).toMatchObject({ mass: alis.mass, forms })
    expect(suitedTo({ ...alis, massAfter: () => pure(own) }, small)).not.toHaveProperty('forms')
    expect(suitedTo({ ...alis, name: 'mine', weighting: 1, trainsOn: 'batch' }, small)).toMatchObject({
      ...suitedTo(alis, small),
      name: 'mine',
      weighting: 1,
      trainsOn: 'batch',
    })
  })
})

describe('the share that everyone gets', () => {
  const sharesOf = (know: number, pool: { size: number; columns: number }) =>
    suitedTo(alisStrategy({ know }), pool).mass.parts.map(({ share, of }) => [of.name, share])
  const small = { size: 1000, columns: 20 }
  const large = { size: 500_000, columns: 20 }

  it.each([
    [0.1, 0.35, 0.2],
    [0.2, 0.35, 0.1],
    [0.3, 0.35, 0],
    [0.5, 0.25, 0],
  ])('of %s leaves %s to rank and to variance, and %s to expected errors', (know, each, errors) => {
    const rest = errors > 0 ? [['expected-error', errors]] : []
    expect(sharesOf(know, small)).toEqual([['steep-rank', each], ['variance', each], ...rest, ['uniform', know]])
    expect(sharesOf(know, large)).toEqual([
      ['margin-rank', 1 - know],
      ['uniform', know],
    ])
  })

  it('is a fifth unless it is said', () => {
    expect(alis.mass.parts).toEqual(alisStrategy({ know: 0.2 }).mass.parts)
    expect(strategyNamed('alis')).toBe(alis)
  })

  it('may be all, and then there is nothing to be known about the boundary', () => {
    expect(sharesOf(1, small)).toEqual([['uniform', 1]])
    expect(sharesOf(1, large)).toEqual([['uniform', 1]])
    expect(suitedTo(alisStrategy({ know: 1 }), small)).not.toHaveProperty('forms')
  })

  it('changes the others steadily, and nobody is drawn less likely than it says', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 1, noNaN: true }), (know) => {
        const parts = suitedTo(alisStrategy({ know }), small).mass.parts
        const nearby = suitedTo(alisStrategy({ know: Math.min(1, know + 1e-6) }), small).mass.parts
        const share = (of: typeof parts, name: string) => of.find((part) => part.of.name === name)?.share ?? 0
        expect(share(parts, 'uniform')).toBe(know)
        for (const { of } of parts)
          expect(Math.abs(share(parts, of.name) - share(nearby, of.name))).toBeLessThanOrEqual(1e-6 * (1 + 1e-6))
      }),
    )
  })

  it.each([0, 0.05, 1.1, Number.NaN])('is refused if it is %s', (know) => {
    expect(() => alisStrategy({ know })).toThrow(`know: a share from 0.1 to 1 is required, got ${know}`)
  })

  it('belongs to this strategy alone', () => {
    expect(strategyNamed('alis', { know: 0.3 }).mass.parts).toEqual(alisStrategy({ know: 0.3 }).mass.parts)
    expect(() => strategyNamed('uniform', { know: 0.3 })).toThrow('know: strategy alis is required, got uniform')
    expect(() => strategyNamed('alsi')).toThrow('strategy: one of alis, ')
  })
})

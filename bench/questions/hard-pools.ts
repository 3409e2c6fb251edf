import { hashIds, uniformsOf } from '../../src/core/randomness.ts'
import type { TestPoint } from '../../test/questions/test-pool.ts'

/** A point of a hard pool: class 1 is the positive one; `grade` is what people would give it, from 0 to 1. */
export interface HardPoint extends Required<TestPoint> {
  readonly grade: number
}

/** Uniform numbers of a point, by name. */
type Numbers = (name: string) => number

/** What a pool says of its k-th point; `u` gives uniform numbers. */
type Recipe = (k: number, u: Numbers) => Pick<TestPoint, 'predicted' | 'chance' | 'truth'>

const sure = 0.001
const doubtful = (u: Numbers) => 0.05 + 0.25 * u('chance')

/** So many of the first points are found, so many missed, so many wrongly found; the rest is rightly left alone. */
function counted(found: number, missed: number, wrong: number, chanceOf: (kind: string, u: Numbers) => number): Recipe {
  return (k, u) => {
    const kind = k < found ? 'found' : k < found + missed ? 'missed' : k < found + missed + wrong ? 'wrong' : 'left'
    const [predicted, truth] = { found: [1, 1], missed: [0, 1], wrong: [1, 0], left: [0, 0] }[kind]! as [number, number]
    return { predicted, truth, chance: chanceOf(kind, u) }
  }
}

const pools: readonly { readonly name: string; readonly size: number; readonly recipe: Recipe }[] = [
  {
    name: 'overconfident: 10 found, 10 missed, 490 wrong',
    size: 2000,
    recipe: counted(10, 10, 490, (_, u) => 0.02 * u('chance')),
  },
  {
    name: 'one positive, missed for sure',
    size: 200,
    recipe: counted(0, 1, 5, (kind, u) => (kind === 'missed' ? sure : doubtful(u))),
  },
  { name: 'two positives, one missed', size: 200, recipe: counted(1, 1, 3, (_, u) => doubtful(u)) },
  { name: 'no positive', size: 200, recipe: counted(0, 0, 5, (_, u) => doubtful(u)) },
  { name: '10 of 110 positives found', size: 2000, recipe: counted(10, 100, 30, (_, u) => doubtful(u)) },
  {
    name: '30 points',
    size: 30,
    recipe: (_, u) => {
      const predicted = u('predicted') < 0.3 ? 1 : 0
      return { predicted, chance: doubtful(u), truth: u('wrong') < 0.2 ? 1 - predicted : predicted }
    },
  },
  {
    name: 'calibrated',
    size: 500,
    recipe: (_, u) => {
      const predicted = u('predicted') < 0.3 ? 1 : 0
      const chance = Math.min(0.9, 1.4 * u('chance') ** 6)
      return { predicted, chance, truth: u('wrong') < chance ? 1 - predicted : predicted }
    },
  },
  {
    name: 'wrong where it is sure',
    size: 500,
    recipe: (_, u) => {
      const predicted = u('predicted') < 0.3 ? 1 : 0
      const isWrong = u('wrong') < 0.1
      return { predicted, chance: isWrong ? sure : 0.1 + 0.3 * u('chance'), truth: isWrong ? 1 - predicted : predicted }
    },
  },
]

export const poolNames = pools.map(({ name, size }, k) => `${k}: ${size}, ${name}`)

/** A pool that intervals find hard, of this place in the list; where chance has a part in it, by the seed. */
export function hardPool(place: number, seed: number): HardPoint[] {
  const { size, recipe } = pools[place]!
  const hashes = hashIds(Array.from({ length: size }, (_, k) => `p${k}`))
  const streams = new Map<string, (k: number) => number>()
  const numbersOf =
    (k: number): Numbers =>
    (name) => {
      const known = streams.get(name) ?? uniformsOf({ seed, name: `hard/${name}` }, hashes)
      streams.set(name, known)
      return known(k)
    }
  return Array.from({ length: size }, (_, k) => {
    const u = numbersOf(k)
    const point = recipe(k, u)
    const other = u('other') < 0.1 ? 1 - point.predicted : point.predicted
    const grade = Math.round(8 * (point.truth === 1 ? 1 - 0.5 * u('grade') : 0.4 * u('grade') ** 2)) / 8
    return { ...point, other, slice: u('slice') < 0.3 ? 1 : 0, grade }
  })
}

import { dense, type FeatureRows } from '../../src/core/features.ts'
import type { LearnedModel } from '../../src/core/model.ts'
import { uniform } from '../../src/core/randomness.ts'
import type { Label } from '../../src/core/record.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { fastEngine } from '../../src/engines/kernels/engine.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import type { Learner } from '../../src/learners/learner.ts'
import { strategies } from '../../src/strategies/catalogue.ts'
import type { Strategy } from '../../src/strategies/strategy.ts'
import { chanceLearners } from './chance-learners.ts'

/** A small pool and what happens to it, chosen by lot. */
export interface ChanceWorld {
  readonly ids: readonly string[]
  readonly features: FeatureRows
  readonly classes: readonly string[]
  /** Null where it cannot be told. */
  readonly truth: ReadonlyMap<string, Label>
  /** What is answered until answers are revised. */
  readonly told: ReadonlyMap<string, Label>
  readonly strategy: Strategy
  /** By its name in `chanceLearners`, and what it makes models with. */
  readonly learnerName: string
  readonly learner: Learner<LearnedModel>
  readonly engine: (pool: { readonly ids: readonly string[]; readonly features: FeatureRows }) => Engine
  readonly start: number
  readonly batch: number
  /** Answers, at most, before the break and after it. */
  readonly budgets: readonly [number, number]
  /** Points of the pool until the break; the others are added. */
  readonly began: number
  /** Labels given at the break. */
  readonly given: readonly string[]
}

const { suited: _, ...byScoresAlone } = strategies.alis
const designs: readonly Strategy[] = [
  byScoresAlone,
  strategies['expected-loss'],
  strategies.uniform,
  strategies['paper-all'],
  { ...strategies.paper, trainsOn: 'all' },
  strategies['paper-replacement'],
]
const engines: readonly ChanceWorld['engine'][] = [
  memoryEngine,
  (pool) => fastEngine({ ...pool, smallest: 0 }),
  (pool) => fastEngine({ ...pool, smallest: 0, bits: 8 }),
]
const columns = 3
const width = columns + 3 // likenesses to two points, and the position

/** Equal seeds make equal worlds. */
export function chanceWorld(seed: number): ChanceWorld {
  const lot = (name: string) => uniform(seed, 'world', name)
  const oneOf = <T>(name: string, values: readonly T[]): T => values[Math.floor(lot(name) * values.length)]!
  const is = (name: string, chance: number) => lot(name) < chance
  const size = 20 + Math.floor(181 * lot('size')) * oneOf('larger', [1, 1, 4])
  const classes = ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, oneOf('classes', [2, 3, 6]))
  const ids = Array.from({ length: size }, (_, i) => `p${i}`)
  const [isCoarse, noise] = [is('coarse', 0.4), oneOf('noise', [0, 0.3, 2])]
  const farthest = oneOf('farthest', [1, 1, 1e4]) // far out, so that of all others few bits are left
  const value = (i: number, j: number) => {
    const u = uniform(seed, 'feature', `${i}/${j}`)
    const own = isCoarse ? Math.floor(3 * u) - 1 : 2 * u - 1 // of coarse ones many are alike, and lie between two classes
    return i < 2 ? farthest * own : own
  }
  const plain = Array.from({ length: size }, (_, i) => Array.from({ length: columns }, (_, j) => value(i, j)))
  const likeness = (a: readonly number[], b: readonly number[]) => Math.exp(-a.reduce((sum, x, j) => sum + (x - b[j]!) ** 2, 0))
  const rows = plain.map((own, i) => [...own, likeness(own, plain[2]!), likeness(own, plain[3]!), i])
  const values = Float32Array.from(rows.flat())
  const strength = (i: number, k: number) => plain[i]!.reduce((sum, x, j) => sum + x * Math.cos(2 * k + 3 * j), 0)
  const [missing, other] = [oneOf('missing', [0, 0, 0.1, 0.5]), is('revised', 0.25)]
  const truth = new Map<string, Label>()
  const told = new Map<string, Label>()
  const known: number[] = []
  for (const [i, id] of ids.entries()) {
    const strengths = classes.map((_, k) => strength(i, k) + noise * (uniform(seed, 'noise', `${i}/${k}`) - 0.5))
    const [most, next] = strengths.toSorted((a, b) => b - a) as [number, number]
    const isHard = most - next < 0.4
    const best = classes[strengths.indexOf(most)]!
    const label = uniform(seed, 'missing', id) < missing * (isHard ? 1 : 0.1) ? null : best
    known.push(classes.indexOf(best))
    truth.set(id, label)
    const slip = other && uniform(seed, 'slip', id) < 0.2
    told.set(id, slip ? oneOf(`slip ${id}`, [...classes, null]) : label)
  }
  const began = is('added', 0.25) ? Math.ceil(size * (0.6 + 0.3 * lot('began'))) : size
  const given = is('given', 0.25) ? ids.filter((id) => uniform(seed, 'given', id) < (truth.get(id) === 'a' ? 0.4 : 0.05)) : []
  const first = Math.ceil(began * (0.3 + 0.4 * lot('break')))
  const [batch, start] = [oneOf('batch', [1, 10, 50]), oneOf('start', [3, 10, 20])]
  const features = dense(values, width)
  const learnerName = oneOf('learner', Object.keys(chanceLearners))
  return {
    ids,
    features,
    classes,
    truth,
    told,
    strategy: oneOf('design', designs),
    learnerName,
    learner: chanceLearners[learnerName]!({ seed, features, classes, truth: known }),
    engine: oneOf('engine', engines),
    start,
    batch,
    budgets: [first, size],
    began,
    given,
  }
}

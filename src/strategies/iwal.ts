import { requireInput } from '../core/errors.ts'
import type { Formula } from '../core/formula.ts'
import * as f from '../core/formula.ts'
import { isFor, type RoundFacts } from '../core/record.ts'
import { successive } from '../designs/successive.ts'
import { type Mass, pure } from '../masses/mass.ts'
import { factorOfCurvature, inverseForm, mostFeatures } from './curvature.ts'
import type { Strategy } from './strategy.ts'

export interface IwalOptions {
  /**
   * C₀: the larger, the longer every point is asked about. The constant of the theorem would ask about all of any pool people label, so practice
   * takes a smaller one; with any, the probabilities are known and the estimates unbiased. Default 10⁻⁴.
   */
  readonly wariness?: number
}

/**
 * Importance-weighted active learning, the margin rule (Beygelzimer, Hsu, Langford & Zhang 2010): points pass by in random order, and each
 * is asked about with a probability that falls with the weight an opposite label would need to change the prediction.
 *
 * A point that is passed over may come again. So which point is asked about next is a successive draw with the query probability for mass, and
 * everything that holds for those draws holds here.   @see docs/equations.md#iwal
 */
export function iwalStrategy({ wariness = 1e-4 }: IwalOptions = {}): Strategy {
  requireInput(wariness > 0 && wariness < Number.POSITIVE_INFINITY, `iwal: wariness must be a positive number, got ${wariness}`)
  return {
    name: 'iwal',
    summary:
      'importance-weighted active learning: asks with a probability that falls with the margin, weights 1/p; up to 1,000 features',
    mass: queryMass(1, wariness),
    design: successive,
    trainsOn: 'all',
    weighting: 1,
    mostFeatures,
    massAfter: (rounds) => queryMass(1 + pointsPassed(rounds), wariness),
    /** x·Mx = W x·H⁻¹x / 2,  W the sum of training weights: the gap in loss over it is G. */
    async forms(context) {
      const total = context.trained.weights.reduce((sum, weight) => sum + weight, 0)
      const factor = factorOfCurvature('iwal', context)
      const scale = Math.sqrt(total / 2)
      return [inverseForm(factor, context.plain.columns + 1).map((vector) => vector.map((entry) => scale * entry))]
    },
  }
}

export const iwal = iwalStrategy()

/** The query probability of every point when it is the k-th to pass by. */
function queryMass(k: number, wariness: number): Mass {
  return pure({
    name: 'query-probability',
    value: ({ losses, forms }) => queryProbability(lossGap(losses) / forms[0]!, k, wariness),
    express({ losses, forms }) {
      const opposite = losses.map(f.negative)
      const gap = f.difference(f.largest(...opposite), f.second(...opposite))
      return queryFormula(f.quotient(gap, forms[0]!), k, wariness)
    },
  })
}

/** The loss of the second best label minus that of the best. For logistic loss |z|, for cross-entropy z₍₁₎ − z₍₂₎. */
function lossGap(losses: Float64Array): number {
  let first = Number.POSITIVE_INFINITY
  let second = Number.POSITIVE_INFINITY
  for (const loss of losses) {
    if (loss < first) {
      second = first
      first = loss
    } else if (loss < second) second = loss
  }
  return second - first
}

const c1 = 5 + 2 * Math.SQRT2
const c2 = 5

/**
 * The chance with which the k-th point is asked about: 1 if  G ≤ √b + b,  b = C₀ ln k/(k − 1),  and otherwise the s in (0, 1) with
 *
 *   G = (c₁/√s − c₁ + 1) √b + (c₂/s − c₂ + 1) b,      c₁ = 5 + 2√2,  c₂ = 5
 *
 * a quadratic in 1/√s. G ≥ 0 is how much larger the error of the best hypothesis that disagrees about the point is.   @see docs/equations.md#iwal
 */
export function queryProbability(gap: number, k: number, wariness: number): number {
  if (k <= 1) return 1
  const b = (wariness * Math.log(k)) / (k - 1)
  const root = Math.sqrt(b)
  if (gap <= root + b) return 1
  const sum = gap + (c1 - 1) * root + (c2 - 1) * b // c₂ b r² + c₁ √b r = sum,  r = 1/√s
  const rootOfS = (c1 * root + Math.sqrt(c1 * c1 * b + 4 * c2 * b * sum)) / (2 * sum) // the form that loses no digits
  return Math.min(1, rootOfS ** 2)
}

function queryFormula(gap: Formula, k: number, wariness: number): Formula {
  if (k <= 1) return 1
  const b = (wariness * Math.log(k)) / (k - 1)
  const root = Math.sqrt(b)
  const sum = f.sum(gap, (c1 - 1) * root + (c2 - 1) * b)
  const rootOfS = f.quotient(f.sum(c1 * root, f.sqrt(f.sum(c1 * c1 * b, f.product(4 * c2 * b, sum)))), f.product(2, sum))
  return f.ifAbove(gap, root + b, f.smallest(1, f.square(rootOfS)), 1)
}

/**
 * How many points have passed by, those that were asked about included: each draw of the strategy's own was preceded on average by as many as the
 * inverse of the mean query probability of the points left, which is on record. Any other label is one that passed and was taken.
 */
export function pointsPassed(rounds: readonly RoundFacts[]): number {
  return rounds.reduce((sum, round) => {
    const isOwn = isFor('learn', round) && round.strategy === 'iwal'
    if (!isOwn) return sum + round.draws.length
    return round.draws.reduce((passed, { remaining }, k) => passed + (round.survey.points - k) / remaining, sum)
  }, 0)
}

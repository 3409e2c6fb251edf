import type { Draw, PoolDraw } from '../../core/draw.ts'
import { AlisError } from '../../core/errors.ts'
import type { Formula } from '../../core/formula.ts'
import * as f from '../../core/formula.ts'
import { scaleFromLargest } from '../../core/inclusion-scale.ts'
import { hashIds, type Stream, uniform } from '../../core/randomness.ts'
import { sumOf } from '../../core/sums.ts'
import type { Design } from '../../designs/design.ts'

/** A point that may turn out to be drawn. */
export interface Candidate {
  readonly id: string
  readonly mass: number
  readonly scores: readonly number[]
}

/** Which points a design can draw: the `size` first in the order of `by`, of those with a positive mass, which come before others, or of all. */
export interface Wanted {
  readonly by: readonly Formula[]
  readonly positive: boolean
}

const mass = f.column('mass')
const u = f.column('u')

/** Given columns `mass` and `u`. A Bernoulli round is found in two steps: these are its largest masses. */
export function wantedBy(design: Design): Wanted {
  switch (design.name) {
    // Of drawing with replacement this is the first ring of every bell; a bell that rings later than m others never counts.
    case 'successive':
    case 'multinomial':
      return { by: [f.ifAbove(mass, 0, f.quotient(f.negative(f.log(u)), mass), Number.POSITIVE_INFINITY)], positive: true }
    case 'bernoulli':
      return { by: [f.negative(mass)], positive: true }
    case 'top':
      return { by: [f.negative(mass), u], positive: false }
    default:
      throw new AlisError(
        'bad-input',
        `design: successive, multinomial, bernoulli or top is required where the pool lies, got ${design.name}`,
      )
  }
}

export interface DrawnFrom {
  readonly design: Design
  readonly size: number
  readonly stream: Stream
  /** Σ mass of all points that may be drawn. */
  readonly total: number
  /** Σ mass of those that are not candidates, added up and not subtracted. */
  readonly others: number
}

/** The draws among candidates, with the probabilities they have in the whole pool. Any design but `bernoulli`. */
export function drawsAmong(found: readonly Candidate[], { design, size, stream, total, others }: DrawnFrom): PoolDraw[] {
  const candidates = byHash(found) // as in memory, so that ties are settled alike
  const masses = Float64Array.from(candidates, (candidate) => candidate.mass)
  const name = (repeat: number) => (repeat === 0 ? stream.name : `${stream.name}#${repeat}`)
  const drawn = design.draw(masses, size, (i, repeat = 0) => uniform(stream.seed, name(repeat), candidates[i]!.id))
  const fromAll = (draw: Draw): Draw => {
    // What is left over is left over at every draw; nothing is subtracted, nothing cancels.
    if (design.name === 'successive') {
      const remaining = draw.remaining + others
      return { ...draw, remaining, probability: draw.mass / remaining }
    }
    return { ...draw, remaining: total, ...(design.name === 'multinomial' && { probability: draw.mass / total }) }
  }
  return drawn.map((draw) => pooled(fromAll(draw), candidates[draw.index]!))
}

/** The factor of the masses that gives inclusion probabilities min(1, factor · mass), from the `size` largest of them; Infinity if all are included. */
export function bernoulliScale(largest: readonly Candidate[], others: number, size: number): number {
  if (largest.length < size || others === 0) return Number.POSITIVE_INFINITY
  return scaleFromLargest(
    largest.map((candidate) => candidate.mass),
    others,
    size,
  )
}

/** A point is in a Bernoulli round if u ≤ π; in order of u/π. Given columns `mass` and `u`. */
export function bernoulliPlace(scale: number): Formula {
  const inclusion = scale === Number.POSITIVE_INFINITY ? 1 : f.smallest(1, f.product(scale, mass))
  return f.ifAbove(mass, 0, f.quotient(u, inclusion), 2)
}

/** `candidates` in order of their places. */
export function bernoulliDraws(candidates: readonly Candidate[], scale: number, total: number): PoolDraw[] {
  return candidates.map((candidate, k) => {
    const probability = scale === Number.POSITIVE_INFINITY ? 1 : Math.min(1, scale * candidate.mass)
    return pooled({ index: k, probability, order: k + 1, mass: candidate.mass, remaining: total }, candidate)
  })
}

/** In the order of the hashes of ids, which the command gives to every pool in memory. */
function byHash(candidates: readonly Candidate[]): Candidate[] {
  const { low, high } = hashIds(candidates.map(({ id }) => id))
  const order = candidates.map((_, k) => k).sort((a, b) => high[a]! - high[b]! || low[a]! - low[b]!)
  return order.map((k) => candidates[k]!)
}

function pooled({ index: _, ...draw }: Draw, { id, scores }: Candidate): PoolDraw {
  return { id, ...draw, scores }
}

/** Σ masses of the candidates: what `others` is the rest of. */
export const massOf = (candidates: readonly Candidate[]): number => sumOf(candidates.map((candidate) => candidate.mass))

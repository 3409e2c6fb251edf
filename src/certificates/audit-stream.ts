import { requireInput } from '../core/errors.ts'
import { hashIds, type Uniforms, uniformsOf } from '../core/randomness.ts'
import { compensatedSum } from '../core/sums.ts'
import { BatchInterval, type BatchTotals } from './batch-interval.ts'
import type { Interval } from './draw-interval.ts'

export interface AuditStreamOptions {
  /** The seed of the run: the stream has a name of its own, so its uniforms are independent of all that training draws with. */
  readonly seed: number
  /** The whole pool. */
  readonly ids: readonly string[]
  /** Chance that the intervals of all rounds are right, every one of them. Default 0.95. */
  readonly level?: number
}

/** A model to be audited: columns over the whole pool, in the order of its ids. What they say of points trained on is not read. */
export interface AuditOffer {
  /** Points that training has drawn, labelled or still open; to be named once each; a repetition changes nothing. */
  readonly trained: Iterable<string>
  /** π: the chance of being audited that this model's scores ask for, in [0, 1]. In the first round above 0. */
  readonly inclusion: Float64Array
  /** g: the loss the model expects, in [0, 1]. As wrong as it likes: that costs width, never coverage. */
  readonly predictedLosses: Float64Array
}

/** A point under audit. */
export interface AuditedPoint {
  readonly id: string
  /** Π: its chance of being here. */
  readonly probability: number
  readonly predictedLoss: number
}

/** What the audit says of the model last offered, over the points that training has not drawn. */
export interface AuditEstimate extends Interval {
  /** The estimate as it comes out: unbiased, and for that reason free to lie outside the interval, and outside [0, 1]. */
  readonly unbiased: number
  /** |U|: how many points it speaks of. */
  readonly points: number
  /** t: the model's number, from 1. */
  readonly round: number
}

/**
 * Says how good the *current* model of a learning run is, with a guarantee, while the run goes on: a second sample that training
 * never learns from. Every point has one uniform u for the whole run, and round t offers a chance π for each. Of the points U that
 * training has not drawn, those are under audit for which
 *
 *   u ≤ Π,   Π = max(π¹, …, πᵗ)
 *
 * so the sample only grows, and old answers speak for new models. A point that training draws as well is trained on, and leaves.
 *
 *   estimate  [Σ_U g + Σ_audited (ℓ − g)/Π] / |U|,     interval at level  1 − δ/(t(t + 1)),  δ = 1 − level
 *
 * **All of this rests on one condition.** Given the training side, each u is still uniform. So no audit answer, and not even which points
 * are under audit, may have a say in: the models, the points training draws, π, g, or when a round comes. An answer that training
 * asks for itself is training's own, also where the audit had it before. The run may be *ended* because of the intervals:
 * they hold for all rounds together, hence for the last one; the estimate at such an end is no longer unbiased. Going on
 * differently because of them (another strategy, more labels, a larger π) voids every later round.
 *
 * @see docs/equations.md#audit-stream
 */
export class AuditStream {
  readonly #ids: readonly string[]
  readonly #indexOf: ReadonlyMap<string, number>
  readonly #uniforms: Uniforms
  readonly #level: number
  readonly #isTrained: Uint8Array
  readonly #largest: Float64Array // Π
  #round = 0
  #totals: (BatchTotals & { readonly points: number }) | undefined
  #audited: readonly AuditedPoint[] = []

  constructor({ seed, ids, level = 0.95 }: AuditStreamOptions) {
    requireInput(level > 0 && level < 1, `level: must be in (0, 1), got ${level}`)
    this.#indexOf = new Map(ids.map((id, i) => [id, i]))
    requireInput(this.#indexOf.size === ids.length, `pool: ids must be unique, got ${ids.length - this.#indexOf.size} repeated`)
    this.#ids = ids
    this.#uniforms = uniformsOf({ seed, name: 'audit-stream' }, hashIds(ids))
    this.#level = level
    this.#isTrained = new Uint8Array(ids.length)
    this.#largest = new Float64Array(ids.length)
  }

  /** Begins the round of a new model. Returns the points that are new under audit: to be asked. */
  offer({ trained, inclusion, predictedLosses }: AuditOffer): string[] {
    for (const id of trained) {
      const index = this.#indexOf.get(id)
      requireInput(index !== undefined, `pool: a point named ${JSON.stringify(id)} is required, got none`)
      this.#isTrained[index] = 1
    }
    this.#check(inclusion, predictedLosses)

    const fresh: string[] = []
    const audited: AuditedPoint[] = []
    const tally = tallyOf()
    for (const i of this.#left()) {
      const id = this.#ids[i]!
      const before = this.#largest[i]!
      const probability = Math.max(before, inclusion[i]!)
      const predictedLoss = predictedLosses[i]!
      const u = this.#uniforms(i)
      this.#largest[i] = probability
      tally.add(probability, predictedLoss)
      if (u <= probability) audited.push({ id, probability, predictedLoss })
      if (u <= probability && u > before) fresh.push(id)
    }
    this.#round++
    this.#totals = tally.totals()
    this.#audited = audited
    return fresh
  }

  /** The points under audit in this round, new and old. */
  audited(): readonly AuditedPoint[] {
    return this.#audited
  }

  /**
   * What the losses of the model last offered, on the points under audit, say of it. Null is "cannot tell"; a point left out has
   * no answer yet and counts the same, so the interval only narrows as answers come in and may be looked at all the while. Losses
   * of other points are not read.
   */
  estimate(losses: ReadonlyMap<string, number | null>): AuditEstimate {
    const [round, offered] = [this.#round, this.#totals]
    requireInput(offered !== undefined, 'audit-stream: offer() must come first, got an estimate before it')
    const { points, ...totals } = offered
    const risk = (1 - this.#level) / (round * (round + 1)) // sums to 1 − level over all rounds
    const tolerance = Math.sqrt((2 * Math.log(2 / risk) * totals.variance) / totals.expected) // what one look at so many can reach
    const interval = new BatchInterval({ poolSize: points, level: 1 - risk, tolerance })
    const draws = this.#audited.map((point) => ({ ...point, loss: losses.get(point.id) ?? null }))
    const evidence = interval.evidence(totals, draws)
    interval.batch(totals, evidence)
    const answers = draws.filter(({ id }) => losses.has(id)).length
    const unbiased = (totals.predictedLoss + evidence.residuals) / points
    return { ...interval.interval(), answers, unbiased, points, round }
  }

  /** U: the points that training has not drawn. */
  *#left(): Generator<number> {
    for (const [i, isTrained] of this.#isTrained.entries()) if (isTrained === 0) yield i
  }

  /** Before anything is kept of an offer. */
  #check(inclusion: Float64Array, predictedLosses: Float64Array): void {
    for (const [name, { length }] of Object.entries({ inclusion, predictedLosses })) {
      requireInput(length === this.#ids.length, `${name}: one for each of ${this.#ids.length} points is required, got ${length}`)
    }
    let points = 0
    for (const i of this.#left()) {
      const [pi, g, id] = [inclusion[i]!, predictedLosses[i]!, this.#ids[i]!]
      points++
      requireInput(pi >= 0 && pi <= 1, `inclusion: must be in [0, 1], got ${pi} for ${id}`)
      requireInput(g >= 0 && g <= 1, `predictedLosses: must be in [0, 1], got ${g} for ${id}`)
      requireInput(
        pi > 0 || this.#largest[i]! > 0,
        `inclusion: must be above 0 for every point in the first round, got 0 for ${id}`,
        'Nothing can be said of a point that cannot be audited.',
      )
    }
    requireInput(points > 0, 'audit-stream: a point that training has not drawn is required, got none')
  }
}

/** Totals over U. The bets are made from these, that is from predictions alone. */
function tallyOf() {
  const [expected, predicted, variance] = [compensatedSum(), compensatedSum(), compensatedSum()]
  let [points, largestDown, largestUp] = [0, 0, 0]
  return {
    add(probability: number, predictedLoss: number): void {
      points++
      expected.add(probability)
      predicted.add(predictedLoss)
      variance.add((predictedLoss * (1 - predictedLoss)) / probability)
      largestDown = Math.max(largestDown, predictedLoss / probability)
      largestUp = Math.max(largestUp, (1 - predictedLoss) / probability)
    },
    totals: () => ({
      points,
      expected: expected.total(),
      predictedLoss: predicted.total(),
      largestDown,
      largestUp,
      variance: Math.max((expected.total() * variance.total()) / points ** 2, 1e-6), // of one draw
    }),
  }
}

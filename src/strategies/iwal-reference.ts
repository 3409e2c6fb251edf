import { requireInput } from '../core/errors.ts'

export interface VersionSpaceOptions<Point, Prediction, Label> {
  /** H: finitely many, as they are all tried at every point. */
  readonly hypotheses: readonly ((point: Point) => Prediction)[]
  /** In [0, 1]. */
  readonly loss: (prediction: Prediction, label: Label) => number
  readonly labels: readonly Label[]
  /** δ: the chance that the best hypothesis is ever given up. Default 0.05. */
  readonly delta?: number
  /** A lower limit for the probabilities. 0, the default, is the algorithm as stated; above it, every loss is estimated without bias. */
  readonly floor?: number
}

/**
 * Importance-weighted active learning as first stated, by loss-weighting (Beygelzimer, Dasgupta & Langford 2009): a reference for small
 * hypothesis sets. Points come one by one; each is asked about with the largest difference in loss that two hypotheses still in the running can have
 * there, and an answer counts 1/p.
 *
 *   H_{t+1} = { h ∈ H_t : L_t(h) ≤ min L_t + Δ_t },   Δ_t = √((8/t) ln(2t(t + 1)|H|²/δ)),   L_t(h) = (1/t) Σ (Q/p) ℓ(h(x), y)
 *
 * @see docs/equations.md#iwal-reference
 */
export class VersionSpace<Point, Prediction, Label> {
  readonly #options: Required<VersionSpaceOptions<Point, Prediction, Label>>
  readonly #totals: Float64Array
  #alive: readonly number[]
  #seen = 0

  constructor(options: VersionSpaceOptions<Point, Prediction, Label>) {
    const { hypotheses, labels, delta = 0.05, floor = 0 } = options
    requireInput(hypotheses.length > 0, 'version space: at least one hypothesis is required, got none')
    requireInput(labels.length > 1, `version space: at least two labels are required, got ${labels.length}`)
    requireInput(delta > 0 && delta < 1, `version space: delta must be in (0, 1), got ${delta}`)
    requireInput(floor >= 0 && floor <= 1, `version space: floor must be in [0, 1], got ${floor}`)
    this.#options = { ...options, delta, floor }
    this.#totals = new Float64Array(hypotheses.length)
    this.#alive = [...hypotheses.keys()]
  }

  /** Positions of the hypotheses still in the running. */
  get alive(): readonly number[] {
    return this.#alive
  }

  /** p_t: the chance with which to ask about a point, max ℓ(f(x), y) − ℓ(g(x), y) over f, g in the running and labels y. */
  probability(point: Point): number {
    const { labels, floor } = this.#options
    const widest = labels.map((label) => {
      const losses = this.#alive.map((h) => this.#lossOf(h, point, label))
      return Math.max(...losses) - Math.min(...losses)
    })
    return Math.max(floor, ...widest)
  }

  /** Tells what became of a point: its label, or `undefined` if it was not asked about. Asked or not, it counts as seen. */
  see(point: Point, label: Label | undefined): void {
    const { hypotheses, delta } = this.#options
    const p = this.probability(point)
    requireInput(
      label === undefined || p > 0,
      'version space: a point of probability 0 is never asked about, got a label for one',
    )
    if (label !== undefined) for (const h of hypotheses.keys()) this.#totals[h]! += this.#lossOf(h, point, label) / p
    const t = ++this.#seen
    const slack = Math.sqrt((8 / t) * Math.log((2 * t * (t + 1) * hypotheses.length ** 2) / delta))
    const best = this.weightedLoss(this.best())
    this.#alive = this.#alive.filter((h) => this.weightedLoss(h) <= best + slack)
  }

  /** L_t(h) */
  weightedLoss(hypothesis: number): number {
    return this.#seen === 0 ? 0 : this.#totals[hypothesis]! / this.#seen
  }

  /** The hypothesis in the running with the smallest weighted loss. */
  best(): number {
    return this.#alive.reduce((best, h) => (this.#totals[h]! < this.#totals[best]! ? h : best))
  }

  #lossOf(hypothesis: number, point: Point, label: Label): number {
    const { hypotheses, loss } = this.#options
    const value = loss(hypotheses[hypothesis]!(point), label)
    requireInput(value >= 0 && value <= 1, `version space: losses must be in [0, 1], got ${value}`)
    return value
  }
}

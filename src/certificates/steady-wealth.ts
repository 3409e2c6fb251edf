/** A draw as a bet sees it: X, its standard deviation if what is bet against were just true, and how far below 0 X could have come. */
export interface Wager {
  readonly x: number
  readonly deviation: number
  readonly reach: number
}

const bets = 9

/** Stakes 2.6/√n, in standard deviations, aim at n draws: n from 4 to all points in equal ratios.   @see docs/equations.md#stakes */
export function steadySizes(points: number): readonly number[] {
  const most = Math.max(8, points)
  return Array.from({ length: bets }, (_, k) => 2.6 / Math.sqrt(4 * (most / 4) ** (k / (bets - 1))))
}

/** What steady bets on X > 0 own together: 1 at first, and a supermartingale as long as the mean of X is not above 0. */
export class SteadyWealth {
  readonly #sizes: readonly number[]
  readonly #owned: Float64Array

  constructor(sizes: readonly number[]) {
    this.#sizes = sizes
    this.#owned = new Float64Array(sizes.length).fill(1)
  }

  /** W ← W (1 + λX),  λ = min(size/deviation, 0.99/reach). */
  step({ x, deviation, reach }: Wager): void {
    for (const [k, size] of this.#sizes.entries()) this.#owned[k]! *= 1 + Math.min(size / deviation, 0.99 / reach) * x
  }

  get total(): number {
    return this.#owned.reduce((sum, owned) => sum + owned, 0) / this.#owned.length
  }
}

import { requireInput } from '../core/errors.ts'
import { isRelevant, type Question, type Worth } from './question.ts'

/** What has been answered, and what any answers to the rest could still make of it.   @see docs/equations.md#states */
export class OpenAnswers {
  readonly #question: Question
  readonly #isRelevant: readonly boolean[]
  /** Points without an answer, and those whose answer says nothing, by kind. */
  readonly #open: number[]
  readonly #unknown: number[]
  #seen: Worth = { num: 0, den: 0 }
  #left: number

  constructor(question: Question, counts: readonly number[]) {
    const kinds = question.kinds.length
    requireInput(counts.length === kinds, `counts: one for each of ${kinds} kinds is required, got ${counts.length}`)
    for (const count of counts)
      requireInput(Number.isInteger(count) && count >= 0, `counts: must be whole numbers of at least 0, got ${count}`)
    this.#question = question
    this.#isRelevant = question.kinds.map(isRelevant)
    this.#open = [...counts]
    this.#unknown = counts.map(() => 0)
    this.#left = counts.reduce((sum, count, kind) => (this.#isRelevant[kind] ? sum + count : sum), 0)
  }

  /** S: sums over what was told so far. */
  get seen(): Worth {
    return this.#seen
  }

  /** Points without an answer that the question depends on. */
  get left(): number {
    return this.#left
  }

  isRelevant(kind: number): boolean {
    return this.#isRelevant[kind]!
  }

  /** Counts answers to points of a kind; null: they say nothing. */
  answer(kind: number, worth: Worth | null, count = 1): void {
    const open = this.#open[kind] ?? 0
    requireInput(
      count <= open,
      `draw: a point without an answer is required, got ${count} more of kind ${kind}, of which ${open} are left`,
    )
    this.#open[kind]! -= count
    if (this.#isRelevant[kind]) this.#left -= count
    if (worth) this.#seen = { num: this.#seen.num + count * worth.num, den: this.#seen.den + count * worth.den }
    else this.#unknown[kind]! += count
  }

  /** Whether some answers said nothing. */
  get isDoubtful(): boolean {
    return this.#unknown.some((count) => count > 0)
  }

  /** What answers that say nothing add to Σ d(f), at the least for sign 1 and at the most for −1. */
  doubt(f: number, sign: 1 | -1): number {
    let sum = 0
    for (let kind = 0; kind < this.#unknown.length; kind++)
      if (this.#unknown[kind]! > 0) sum += this.#unknown[kind]! * this.worst(kind, f, sign)
    return sum
  }

  /** The smallest num − f·den that an answer can make of a point, or the largest. */
  worst(kind: number, f: number, sign: 1 | -1): number {
    let found = Number.POSITIVE_INFINITY
    for (const { num, den } of this.#question.kinds[kind]!) found = Math.min(found, sign * (num - f * den))
    return sign * found
  }

  /** Limits that hold for sure: the smallest and the largest F that any answers to the rest could make. */
  certain(): readonly [low: number, high: number] {
    return [this.#certain(1), this.#certain(-1)]
  }

  /** A limit, moved inwards to what is certain if that is nearer. */
  within(limit: number, sign: 1 | -1): number {
    return this.#isBeyond(limit, sign) ? this.#certain(sign) : limit
  }

  #certain(sign: 1 | -1): number {
    let [least, most] = this.#question.range
    for (let step = 0; step < 50; step++) {
      const f = (least + most) / 2
      if (this.#isBeyond(f, sign) === (sign === 1)) least = f
      else most = f
    }
    return sign === 1 ? least : most
  }

  /** Whether F lies on the inner side of f for certain. */
  #isBeyond(f: number, sign: 1 | -1): boolean {
    let sum = this.#seen.num - f * this.#seen.den
    for (let kind = 0; kind < this.#open.length; kind++) {
      const count = this.#possible(kind)
      if (count > 0) sum += count * this.worst(kind, f, sign)
    }
    return sign * sum > 1e-12
  }

  /** The smallest and the largest Σ den that is possible. */
  denominators(): readonly [smallest: number, largest: number] {
    let [smallest, largest] = [this.#seen.den, this.#seen.den]
    for (const [kind, worths] of this.#question.kinds.entries()) {
      const dens = worths.map(({ den }) => den)
      smallest += this.#possible(kind) * Math.min(...dens)
      largest += this.#possible(kind) * Math.max(...dens)
    }
    return [smallest, largest]
  }

  /** Σ num, once no answer matters any more. */
  numerator(): number | undefined {
    let sum = this.#seen.num
    for (const [kind, [first]] of this.#question.kinds.entries()) {
      if (this.#possible(kind) === 0) continue
      if (this.#isRelevant[kind]) return undefined
      sum += this.#possible(kind) * first!.num
    }
    return sum
  }

  #possible(kind: number): number {
    return this.#open[kind]! + this.#unknown[kind]!
  }
}

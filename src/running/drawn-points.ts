import type { FeatureRows } from '../core/features.ts'
import { type Model, predictedClass, scorerOf, scoresPerPoint } from '../core/model.ts'
import type { Label, RoundFacts } from '../core/record.ts'

/** What stands in place of a class: "cannot tell", no answer in a round that is closed, none yet in one that is open. */
const cannotTell = -1
export const unasked = -2
const waiting = -3
/** The class that a model gives to a point whose scores under it are not on record. */
const unknown = -4

/** Errors of a model on some points that were drawn, and how many of them nothing is known of. */
interface FoundErrors {
  /** With "cannot tell" as an error, and as none. */
  readonly mostErrors: number
  readonly leastErrors: number
  /** Without an answer that will come, or of a class that is not known. */
  readonly gone: number
}

/** The classes that a model gives to points from a position on. */
export interface ClassRow {
  readonly from: number
  readonly classes: number[]
}

/** All points on record, each once, in the order in which they were drawn or given. */
export class DrawnPoints {
  readonly #features: (ids: readonly string[]) => Promise<FeatureRows>
  readonly #ids: string[] = []
  readonly #positions = new Map<string, number>()
  /** Where the points of each round begin. */
  readonly #starts: number[] = []
  /** By position: the scores on record, and of which model they are. */
  readonly #scores: { readonly model: string; readonly scores: readonly number[] }[] = []
  /** By position, as far as they were needed. */
  readonly #rows: { readonly features: FeatureRows; readonly row: number }[] = []
  readonly #answers: number[] = []
  /** Of the first rounds, as far as all of them are closed: revisions when they were read. */
  readonly #revisions: number[] = []

  constructor(features: (ids: readonly string[]) => Promise<FeatureRows>) {
    this.#features = features
  }

  get size(): number {
    return this.#ids.length
  }

  startOf(round: number): number {
    return this.#starts[round]!
  }

  positionOf(id: string): number {
    return this.#positions.get(id)!
  }

  idAt(position: number): string {
    return this.#ids[position]!
  }

  has(id: string): boolean {
    return this.#positions.has(id)
  }

  /** Takes in rounds that are new, and the answers that stand now. */
  read(rounds: readonly RoundFacts[], classes: readonly string[]): void {
    for (const { draws, model } of rounds.slice(this.#starts.length)) {
      this.#starts.push(this.size)
      for (const { id, scores } of draws) {
        if (this.#positions.has(id)) continue
        this.#positions.set(id, this.size)
        this.#ids.push(id)
        this.#answers.push(waiting)
        this.#scores.push({ model, scores })
      }
    }
    const positions = new Map(classes.map((name, k) => [name, k]))
    const missing = (round: RoundFacts) => (round.isClosed || round !== rounds.at(-1) ? unasked : waiting)
    const codeOf = (label: Label | undefined, round: RoundFacts) =>
      label === undefined ? missing(round) : label === null ? cannotTell : positions.get(label)!
    // A round says no more once it is closed, until an answer is revised; from the first that does, later ones overrule earlier ones again.
    const settled = this.#revisions.findIndex((revisions, t) => rounds[t]!.revisions.length !== revisions)
    if (settled >= 0) this.#revisions.length = settled
    for (const round of rounds.slice(this.#revisions.length)) {
      for (const { id } of round.draws) this.#answers[this.positionOf(id)] = codeOf(round.answers.get(id), round)
      if (round.isClosed && this.#revisions.length === round.round) this.#revisions.push(round.revisions.length)
    }
  }

  /** Positions of points that an answer may still come for. */
  waiting(): number[] {
    return this.#answers.flatMap((answer, position) => (answer === waiting ? [position] : []))
  }

  /** What a model says of a point; undefined where its scores are not on record, and nothing else can tell them. */
  scoresAt(model: Model, position: number): ArrayLike<number> | undefined {
    return this.#scorer(model)(position)
  }

  /** The scores of one point are there until those of another are asked for. */
  #scorer(model: Model): (position: number) => ArrayLike<number> | undefined {
    if (model.kind === 'columns')
      return (position) => {
        const { model: of, scores } = this.#scores[position]! // columns are overwritten when they are refreshed
        return of === model.id ? scores : undefined
      }
    const score = scorerOf(model)
    const own = new Float64Array(scoresPerPoint(model))
    return (position) => {
      const { features, row } = this.#rows[position]!
      score(features, row, own)
      return own
    }
  }

  /** Goes on with the classes of a model up to the newest point. */
  async extend({ from, classes }: ClassRow, model: Model): Promise<void> {
    if (from + classes.length >= this.size) return
    if (model.kind !== 'columns') await this.#fetch()
    const scoresAt = this.#scorer(model)
    for (let position = from + classes.length; position < this.size; position++) {
      const scores = scoresAt(position)
      classes.push(scores ? predictedClass(scores) : unknown)
    }
  }

  async #fetch(): Promise<void> {
    const fresh = this.#ids.slice(this.#rows.length)
    if (fresh.length === 0) return
    const features = await this.#features(fresh)
    this.#rows.push(...fresh.map((_, row) => ({ features, row })))
  }

  /** The errors that answers from the start of the row to a position have found. */
  errorsOf({ from, classes }: ClassRow, to: number): FoundErrors {
    let [mostErrors, leastErrors, gone] = [0, 0, 0]
    for (let position = from; position < to; position++) {
      const answer = this.#answers[position]!
      const given = classes[position - from]!
      if (answer === waiting) continue
      if (answer === cannotTell) mostErrors++
      else if (answer === unasked || given === unknown) gone++
      else if (answer !== given) {
        mostErrors++
        leastErrors++
      }
    }
    return { mostErrors, leastErrors, gone }
  }
}

/** Whether two models may give different classes to a point that was drawn. */
export function mayDiffer(a: ClassRow, b: ClassRow, position: number): boolean {
  const own = a.classes[position - a.from]
  return own === unknown || own !== b.classes[position - b.from]
}

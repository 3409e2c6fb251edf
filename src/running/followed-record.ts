import { type ErrorLimits, type RoundView, RunningLimits } from '../certificates/running.ts'
import { firstNeeded } from '../certificates/running-bets.ts'
import { expectedLossOf } from '../core/belief.ts'
import type { Model } from '../core/model.ts'
import type { Now } from '../core/now.ts'
import { clip } from '../core/numbers.ts'
import { drawnIds, type RoundFacts } from '../core/record.ts'
import type { Signal } from '../core/signal.ts'
import type { Comparison } from '../engines/engine.ts'
import { errorOf } from '../losses/error.ts'
import { type ClassRow, DrawnPoints, mayDiffer, unasked } from './drawn-points.ts'
import { type EvidenceRound, evidenceOf, isEvidence, readRound } from './evidence.ts'
import type { GivenPredictions } from './given-predictions.ts'
import { anchorOf, isKept, seenThrough } from './references.ts'
import type { GivenNow, RunningSource } from './running.ts'

/** What is asked about: whatever gives a class to every point. */
interface Asked {
  /** By which a round may be opened later; none for what is no model. */
  readonly model?: Model
  /** Its classes from the first point on that waits for an answer. */
  readonly row: ClassRow
  /** Beside earlier models, over the points that may still be drawn. */
  beside(earlier: readonly Model[], signal?: Signal): Promise<Comparison>
  /** What it expects of its error at a point that was drawn; undefined where that is not known. */
  expectedAt(position: number): number | undefined
}

interface FollowedSource extends Omit<RunningSource, 'record'> {
  modelOf(id: string): Promise<Model | undefined>
}

/** By the position of a round in the evidence: points without an answer to which its model and another give different classes. */
type Differing = ReadonlyMap<number, number>

/** A round of evidence when it was opened: its model beside those before, and what was known of it then. */
interface Opening {
  readonly differing: Differing
  limits?: ErrorLimits
}

/** A moment: rounds of evidence before it and the first that matters still, points on record by then, and the size of the pool. */
interface Moment {
  readonly rounds: number
  readonly first: number
  readonly until: number
  readonly poolSize: number
}

const nothing: RoundView = { mostErrors: 0, leastErrors: 0, differing: 0, added: 0, gone: 0 }

/** A record as it grows, with everything about it that need not be asked of an engine twice. */
export class FollowedRecord {
  readonly #source: FollowedSource
  readonly #points: DrawnPoints
  readonly #evidence: EvidenceRound[] = []
  readonly #openings: Opening[] = []
  /** Draws up to the end of each round of evidence. */
  readonly #ends: number[] = []
  #rounds: readonly RoundFacts[] = []
  #limits: RunningLimits | undefined
  #read = { rounds: 0, revisions: 0 }
  /** The last look, which the next round may be opened with. */
  #latest: { readonly model: string; readonly round: number; readonly points: number; readonly opening: Opening } | undefined

  constructor(source: FollowedSource) {
    this.#source = source
    this.#points = new DrawnPoints((ids) => source.engine.features(ids))
  }

  /** Takes in what is new on record. Answers that were revised change what was known at every opening, but no model that was compared. */
  async read(rounds: readonly RoundFacts[], signal?: Signal): Promise<void> {
    const fresh = rounds.slice(this.#read.rounds)
    const revisions = rounds.reduce((sum, round) => sum + round.revisions.length, 0)
    this.#rounds = rounds
    this.#points.read(rounds, this.#source.classes)
    await this.#source.engine.take(fresh.flatMap(drawnIds))
    if (revisions !== this.#read.revisions) {
      for (const opening of this.#openings) delete opening.limits
      this.#latest = undefined
      this.#limits = undefined
    }
    this.#read = { rounds: rounds.length, revisions }
    for (const round of fresh) if (isEvidence(round)) await this.#add(round, signal)
    for (const { row, model } of this.#evidence) if (model) await this.#points.extend(row, model)
  }

  async #add(round: RoundFacts, signal?: Signal): Promise<void> {
    const isStart = round.stream === 'learn/0'
    const model = isStart ? undefined : await this.#source.modelOf(round.model)
    if (!model && !isStart) return // a project from before models were kept
    const evidence = evidenceOf(round, this.#source.loss, this.#points, model)
    if (model) await this.#points.extend(evidence.row, model)
    const opening = this.#lookBefore(round) ?? { differing: model ? await this.#differingAt(evidence, model, signal) : new Map() }
    const first = firstNeeded(this.#ends)
    for (const [t, each] of this.#evidence.entries()) if (t < first || !isKept(t, this.#evidence.length)) each.model = undefined // nothing is asked of it any more
    this.#evidence.push(evidence)
    this.#openings.push(opening)
    this.#ends.push((this.#ends.at(-1) ?? 0) + round.draws.length)
  }

  /** The last look, if it was at the model and the points that this round was opened with. */
  #lookBefore({ round, model, survey }: RoundFacts): Opening | undefined {
    const latest = this.#latest
    return latest?.model === model && latest.round === round && latest.points === survey.points ? latest.opening : undefined
  }

  /** The model of a round beside those before it, over the points that it could draw: those that are left now, and those drawn since. */
  async #differingAt({ row }: EvidenceRound, model: Model, signal?: Signal): Promise<Differing> {
    const kept = this.#kept(this.#evidence.length, firstNeeded(this.#ends))
    if (kept.length === 0) return new Map()
    for (const t of kept) await this.#points.extend(this.#evidence[t]!.row, this.#evidence[t]!.model!)
    const drawn = Array.from({ length: this.#points.size - row.from }, (_, k) => row.from + k)
    const { differing } = await this.#compare({ row, beside: this.#besideModel(model) }, { kept, drawn }, signal)
    return differing
  }

  #besideModel(model: Model): Asked['beside'] {
    const { engine, loss } = this.#source
    return (earlier, signal) => engine.compare({ model, loss, earlier }, signal)
  }

  /** Rounds of evidence, of the first so many, whose models a new one is compared with. */
  #kept(rounds: number, first: number): number[] {
    return [...this.#evidence.keys()].filter(
      (t) => t >= first && t < rounds && isKept(t, rounds) && this.#evidence[t]!.totals.isLearned,
    )
  }

  /** `drawn`: positions of points that count although they can be drawn no more. */
  async #compare(
    { row, beside }: Pick<Asked, 'row' | 'beside'>,
    { kept, drawn }: { kept: readonly number[]; drawn: readonly number[] },
    signal?: Signal,
  ) {
    const earlier = new Map(kept.map((t) => [this.#evidence[t]!.model!.id, this.#evidence[t]!.model!]))
    const { points, predictedError, differing } = await beside([...earlier.values()], signal)
    const byModel = new Map([...earlier.keys()].map((id, k) => [id, differing[k] ?? points])) // not known: all, perhaps
    const among = (t: number) => drawn.filter((position) => mayDiffer(this.#evidence[t]!.row, row, position)).length
    const counted = kept.map((t): [number, number] => [t, byModel.get(this.#evidence[t]!.model!.id)! + among(t)])
    return { points, predictedError, differing: new Map(counted) }
  }

  /** What is known of a model over the points without an answer. */
  async look(model: Model, signal?: Signal): Promise<Now | null> {
    const row: ClassRow = { from: this.#points.waiting()[0] ?? this.#points.size, classes: [] }
    await this.#points.extend(row, model)
    const error = errorOf(this.#source.loss)
    const expectedAt = (position: number) => {
      const scores = this.#points.scoresAt(model, position)
      return scores && expectedLossOf(error, scores)
    }
    const about = await this.#about({ model, row, beside: this.#besideModel(model), expectedAt }, signal)
    return about?.now ?? null
  }

  /** The same of predictions from elsewhere, and on how many points they differ from the newest model that was scored by draws. */
  async lookAt(given: GivenPredictions, signal?: Signal): Promise<GivenNow | null> {
    const { engine, loss } = this.#source
    const from = this.#points.waiting()[0] ?? this.#points.size
    const idsFrom = Array.from({ length: this.#points.size - from }, (_, k) => this.#points.idAt(from + k))
    const isWaiting = new Set(this.#points.waiting())
    const classes = idsFrom.map((id, k) => (isWaiting.has(from + k) ? given.labelOf(id) : unasked))
    const pool = { engine, loss, isDrawn: (id: string) => this.#points.has(id) }
    const about = await this.#about(
      {
        row: { from, classes },
        beside: (earlier) => given.beside(earlier, pool, signal),
        expectedAt: (position) => given.expectedAt(this.#points.idAt(position)),
      },
      signal,
    )
    if (!about) return null
    return { ...about.now, expected: given.hasConfidence ? 'by themselves' : 'by the last model', differing: about.newest }
  }

  async #about({ model, row, beside, expectedAt }: Asked, signal?: Signal): Promise<{ now: Now; newest: number } | null> {
    if (!this.#evidence.some(({ totals }) => totals.isLearned)) return null
    const limits = this.#readings()
    const drawn = this.#points.waiting()
    const now = { rounds: limits.ends.length, first: firstNeeded(limits.ends), until: this.#points.size }
    const kept = this.#kept(now.rounds, now.first)
    const { points, predictedError, differing } = await this.#compare({ row, beside }, { kept, drawn }, signal)
    const over = points + drawn.length
    if (over === 0) return null
    this.#carry(limits)
    const found = limits.limits(over, this.#views({ ...now, poolSize: points + this.#points.size }, differing))
    if (model && drawn.length === 0)
      this.#latest = { model: model.id, round: this.#rounds.length, points, opening: { differing, limits: found } }
    const usual = predictedError / Math.max(1, points)
    const expected = (predictedError + drawn.reduce((sum, position) => sum + (expectedAt(position) ?? usual), 0)) / over
    const [low, high] = [found.low, found.high].map((errors) => clip(errors / over, 0, 1)).toSorted((a, b) => a - b)
    const value = clip(limits.estimate(expected), low!, high!)
    const said = { value, low: low!, high: high!, level: limits.level, answers: limits.ends.at(-1) ?? 0 }
    return { now: { ...said, over: 'unanswered', points: over }, newest: differing.get(kept.at(-1)!)! }
  }

  /** All random draws, as far as they are answered. Those of closed rounds are read once, unless an answer is revised. */
  #readings(): RunningLimits {
    const { level, classes } = this.#source
    const isOpen = this.#evidence.some(({ round }) => !this.#rounds[round]!.isClosed)
    const kept = isOpen ? undefined : this.#limits
    const limits = kept ?? new RunningLimits(level === undefined ? {} : { level })
    for (const each of this.#evidence.slice(limits.ends.length)) {
      const read = readRound(each, this.#rounds[each.round]!, this.#points, classes)
      if (read) limits.add(read)
    }
    if (!isOpen) this.#limits = limits
    return limits
  }

  /** What was known of every round's model when the round was opened, as far as that is not known yet. */
  #carry(limits: RunningLimits): void {
    for (const [t, { round, totals, poolSize }] of this.#evidence.entries()) {
      const opening = this.#openings[t]!
      if (!totals.isLearned || opening.limits) continue
      const moment = { rounds: t, first: firstNeeded(this.#ends.slice(0, t)), until: this.#points.startOf(round), poolSize }
      opening.limits = limits.limits(totals.points, this.#views(moment, opening.differing))
    }
  }

  /** Every round as seen from a model at some moment, one that is kept no longer through the next that is. */
  #views(moment: Moment, differing: Differing): RoundView[] {
    const own = (t: number) => this.#view(t, moment, differing.get(t)!)
    return this.#evidence.slice(0, moment.rounds).map(({ totals }, t) => {
      if (t < moment.first || !totals.isLearned) return nothing
      const { limits: opening } = this.#openings[t]!
      if (isKept(t, moment.rounds)) return { ...own(t), ...(opening && { opening }) }
      const r = anchorOf(t, moment.rounds)
      const { round, poolSize } = this.#evidence[r]!
      const before = this.#view(t, { until: this.#points.startOf(round), poolSize }, this.#openings[r]!.differing.get(t)!)
      return seenThrough(before, own(r)) // what was known at its opening, the opening of the other knows
    })
  }

  #view(t: number, { until, poolSize }: Pick<Moment, 'until' | 'poolSize'>, differing: number): RoundView {
    const { row, poolSize: before } = this.#evidence[t]!
    return { ...this.#points.errorsOf(row, until), differing, added: Math.max(0, poolSize - before) }
  }
}

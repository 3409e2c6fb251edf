import { emptyBelief, type Reader } from '../../core/belief.ts'
import { requireInput } from '../../core/errors.ts'
import { mostFormFeatures } from '../../core/matrices.ts'
import { memoize } from '../../core/memoize.ts'
import { type LinearModel, type Model, scorerOf, scoresPerPoint } from '../../core/model.ts'
import type { Profile } from '../../core/profile.ts'
import { hashIds, type PointHashes, type Stream, uniformsOf } from '../../core/randomness.ts'
import type { ScoreTransform } from '../../core/score-transform.ts'
import { sumOf } from '../../core/sums.ts'
import type { Survey } from '../../core/survey.ts'
import type { Ingredient, Mass } from '../../masses/mass.ts'
import type { DrawRequest, DrawResult, Engine, SurveyRequest } from '../engine.ts'
import { idIndex } from '../id-index.ts'
import { type MemoryPool, memoryEngine, requireWidth } from '../memory.ts'
import { lookAt } from './cell-survey.ts'
import { censusOfJudged, type KnownMass, knownMass, recipeFor, recipeOf, surveyOfJudged } from './class-statistics.ts'
import { type KernelBuild, kernelBuild } from './kernels.ts'
import { withWhole } from './row-algebra.ts'
import { type Cells, cellsFor, chances } from './score-cells.ts'
import { type Brief, briefOf, censusOf, meansOf } from './score-quadrature.ts'
import { type Loaded, stationsOn } from './slab-passes.ts'
import { byteSlabs, floatSlabs, hashesOfSlabs, rowsOfSlabs, smallestPool } from './slabs.ts'

export interface FastPool extends MemoryPool {
  /**
   * Bits of a feature where masses are made from it. 8 need a quarter of the room and are faster; the chances of being drawn are then
   * those of the rounded features, known as exactly, and the scores of what is drawn are those of the features as they were. Default 32.
   */
  readonly bits?: 8 | 32
  /** Pools smaller than this are left to the reference. Default 4,096 points. */
  readonly smallest?: number
  /** Bytes that features may take in one memory before another is begun. Default nearly 4 GiB. */
  readonly slabBytes?: number
}

/** A pool in memory, worked on by kernels and all threads where they have an answer, and the way of the reference where they have none. */
export function fastEngine(pool: FastPool): Engine {
  const { ids, features, hashes = hashIds(ids), smallest = smallestPool } = pool
  const isLarge = ids.length >= smallest && features.rows === ids.length
  const slabs = kernelBuild && isLarge ? slabsOf(pool, hashes) : undefined
  if (!kernelBuild || !slabs) return memoryEngine(pool)
  return engineOn(kernelBuild, slabs, { ...pool, hashes: hashesOfSlabs(slabs.slabs) ?? hashes })
}

function slabsOf({ features, bits = 32, slabBytes }: FastPool, hashes: PointHashes): Loaded | undefined {
  if (bits === 8 && features.layout?.kind !== 'sparse') return byteSlabs(features, hashes)
  const slabs = floatSlabs(features, hashes, slabBytes)
  return slabs && { slabs }
}

/** What a look at the pool brings. */
interface Seen {
  readonly model: LinearModel
  readonly survey: Survey
  /** Rows of all points whose key can be at most `limit`; undefined if they are too many. */
  candidates(limit: number, stream: Stream): Promise<number[] | undefined>
  /** The mass of a point, as it is in the total. */
  massAt(row: number): number
}

const mostClasses = 256 // the desk has room for their intercepts, and the reference for the others

function engineOn(build: KernelBuild, loaded: Loaded, pool: FastPool & Required<Pick<FastPool, 'hashes'>>): Engine {
  const { ids, hashes } = pool
  const features = rowsOfSlabs(loaded.slabs) ?? pool.features
  const { columns } = features
  const known = idIndex(ids, hashes)
  const drawn = new Map<string, number>() // rows of the last draws: they will be taken, and to hash their ids again takes a while
  const index = { ...known, rowOf: (id: string) => drawn.get(id) ?? known.rowOf(id) }
  requireInput(index.repeated === 0, `pool: ids must be unique, got ${index.repeated} repeated`)
  const stations = stationsOn(build, loaded)
  const isRounded = loaded.scales !== undefined
  const areFloats = loaded.slabs.every(({ form }) => form.kind === 'floats')
  const haveForms = areFloats && columns <= mostFormFeatures // by kernels, which have room for no wider rows
  const reference = memoryEngine({ ...pool, features, index, scores: allScores })
  let turn: Promise<unknown> = Promise.resolve()
  let latest: { readonly model: Model; readonly cells: Cells; readonly brief: Brief | undefined } | undefined

  /** The scores of all points, for questions that the kernels have no answer to. */
  async function allScores(model: Model): Promise<Float64Array> {
    const width = scoresPerPoint(model)
    if (model.kind === 'linear' && width <= mostClasses) return stations.scores(model)
    const own = new Float64Array(ids.length * width)
    const score = scorerOf(model)
    for (let row = 0; row < ids.length; row++) score(features, row, own, row * width)
    return own
  }

  /** Scores of single points, as they are. */
  function exactScorer(model: LinearModel): (row: number) => number[] {
    const score = scorerOf(model)
    const own = new Float64Array(scoresPerPoint(model))
    return (row) => {
      score(features, row, own)
      return [...own]
    }
  }

  /** At most one pass over the features: all scores in brief, and the cell of each. */
  async function briefly(model: LinearModel, cells: Cells): Promise<Brief | undefined> {
    if (latest?.model === model && latest.cells === cells) return latest.brief
    const brief = isTrue(model) ? briefOf(await stations.tally(model, cells), cells) : undefined
    latest = { model, cells, brief }
    return brief
  }

  /** Whether scores in 32 bits are as near to the exact ones as they should be: not where large products cancel. Goes by some points. */
  const isTrue = memoize((model: LinearModel): boolean => {
    if (isRounded) return true // bytes have scores of their own
    const exact = exactScorer(model)
    const short = model.weights.map((_, k) => stations.shortScorer(model, k))
    const some = Array.from({ length: 16 }, (_, k) => Math.floor(((k + 0.5) * ids.length) / 16))
    return some.every((row) =>
      exact(row).every((score, k) => Math.abs(short[k]!(row) - score) <= 2 ** -16 * (1 + Math.abs(score))),
    )
  })

  /** A score for each of two classes, where kernels judge points by those of all. */
  const inFull = memoize((model: LinearModel): LinearModel => {
    const [weights] = model.weights
    if (!weights || model.weights.length > 1) return model
    return { ...model, weights: [weights.map(() => 0), weights], intercepts: [0, model.intercepts[0]!] }
  })

  /** Has all points judged. Sparse rows and bytes have scores in doubles. */
  function judge(model: LinearModel, forms?: readonly Float64Array[]): Promise<void> {
    const own = inFull(model)
    return stations.judge(own, { isShort: areFloats && isTrue(own), ...(forms && { forms }) })
  }

  /** A survey, and a way to find the few points that can be drawn; undefined where the way of the reference is the only one. */
  async function look({ model, loss, mass, controls, forms = [] }: SurveyRequest): Promise<Seen | undefined> {
    requireWidth(model, columns)
    if (model.kind !== 'linear' || model.weights.length > mostClasses) return undefined
    if (forms.length === 0) {
      if (model.weights.length === 1) return lookBriefly(model, loss, mass, controls)
      return lookAtAll(model, knownMass(mass, loss, controls, model.classes.length))
    }
    if (!haveForms || forms.length !== 2) return undefined
    return lookAtAll(model, knownMass(mass, loss, controls, model.classes.length, forms.length), forms)
  }

  /** Two classes: everything from the brief, if it is a smooth function of the score. */
  async function lookBriefly(
    model: LinearModel,
    loss: Reader,
    mass: Mass,
    controls: readonly Reader[],
  ): Promise<Seen | undefined> {
    const brief = await briefly(model, cellsFor(loss))
    const census = brief && censusOf(brief, loss, mass)
    if (!census) return undefined
    const massOf = mass.settle(census)
    const seen = lookAt(brief, census, mass, massOf, loss, controls)
    if (!seen) return undefined
    const candidates = (limit: number, stream: Stream) => stations.pick(stream, thresholdsFor(brief, seen.largest, limit))
    const short = stations.shortScorer(model)
    const belief = emptyBelief(2)
    const massAt = (row: number) => {
      loss.read([short(row)], belief)
      return massOf(belief)
    }
    return { survey: seen.survey, model, candidates, massAt }
  }

  /** More classes, or quadratic forms: what the kernels judged of every point, if the mass is made of that. */
  async function lookAtAll(
    model: LinearModel,
    known: KnownMass | undefined,
    forms?: readonly Float64Array[],
  ): Promise<Seen | undefined> {
    if (!known) return undefined
    await judge(model, forms)
    const census = censusOfJudged(await stations.census(), known)
    const recipe = recipeFor(known, census)
    if (!recipe) return undefined
    const survey = surveyOfJudged(await stations.weigh(recipe), census, known.controls)
    if (!Number.isFinite(survey.mass)) return undefined // some score is no number: the reference says which
    // The margins are for rounding.
    const candidates = (limit: number, stream: Stream) =>
      stations.pickWeighed(stream, 1.000001 * limit, 1.000001 * survey.largestMass)
    return { survey, model, candidates, massAt: stations.massAt }
  }

  /** Σ v xxᵀ / Σ v, if v is made of what the kernels judge. */
  async function moment(question: Pick<SurveyRequest, 'model' | 'loss'>, weight: Ingredient): Promise<Float64Array> {
    const { model, loss } = question
    requireWidth(model, columns)
    const isLinear = model.kind === 'linear' && model.weights.length <= mostClasses
    const recipe = haveForms && isLinear ? recipeOf(weight, loss, model.classes.length) : undefined
    if (!isLinear || !recipe) return reference.moment(question, weight)
    await judge(model)
    const sum = await stations.moment(recipe)
    const total = sum.at(-1)! // as x ends in a 1
    if (!Number.isFinite(total)) return reference.moment(question, weight)
    const width = columns + 1
    return sum.map((_, k) => {
      const [i, j] = [Math.floor(k / width), k % width]
      const entry = i <= j ? sum[k]! : sum[j * width + i]!
      return total > 0 ? entry / total : entry
    })
  }

  /** Successive draws. Undefined where the way of the reference is the better one. */
  async function drawFast({ design, selector, size, stream, ...question }: DrawRequest): Promise<DrawResult | undefined> {
    if (selector || design.name !== 'successive' || size < 1) return undefined
    const seen = await look(question)
    if (!seen || size > seen.survey.points / 8) return undefined
    const { survey, model } = seen
    const own = uniformsOf(stream, hashes)
    const exact = exactScorer(model)
    // Keys below τ number about τ · Σ mass: so many that m are among them, all but certainly. If not, once more with a larger τ.
    for (let limit = (size + 6 * Math.sqrt(size) + 10) / survey.mass; ; limit *= 4) {
      const rows = await seen.candidates(limit, stream)
      if (!rows) return undefined
      const masses = Float64Array.from(rows, seen.massAt)
      const chosen = design(masses, size, (i, repeat) => own(rows[i]!, repeat))
      const last = chosen.at(-1)
      const isSure = chosen.length === size && last && -Math.log(own(rows[last.index]!)) / last.mass <= limit
      if (!isSure && rows.length < survey.points) continue
      const rest = Math.max(0, survey.mass - sumOf(masses)) // of the points that were passed over
      drawn.clear()
      const draws = chosen.map(({ index: at, mass, order, remaining }) => {
        const row = rows[at]!
        drawn.set(ids[row]!, row)
        const probability = mass / (remaining + rest)
        return { id: ids[row]!, probability, order, mass, remaining: remaining + rest, scores: exact(row) }
      })
      return { draws, survey }
    }
  }

  async function profile(model: Model, lens: ScoreTransform): Promise<Profile> {
    requireWidth(model, columns)
    const isOne = model.kind === 'linear' && scoresPerPoint(model) === 1 && ids.length > smallestPool
    const brief = isOne ? await briefly(model, cellsFor(chances)) : undefined
    if (!brief) return reference.profile(model, lens)
    const { scores, counts } = meansOf(brief)
    return { scores: scores.map((score) => lens.see([score])[0]!), counts }
  }

  async function draw(request: DrawRequest): Promise<DrawResult> {
    const drawn = await drawFast(request)
    if (drawn) return drawn
    const { draws, survey } = await reference.draw(request)
    if (request.model.kind !== 'linear') return { draws, survey }
    const exact = exactScorer(request.model)
    return { draws: draws.map((each) => ({ ...each, scores: exact(index.rowOf(each.id)) })), survey }
  }

  async function take(wanted: readonly string[]): Promise<void> {
    await reference.take(wanted) // which refuses strangers
    for (const id of wanted) stations.take(index.rowOf(id))
    latest = undefined
  }

  /** One question after the other: all of them write into the same places. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work)
    turn = mine.catch(() => {})
    return mine
  }

  return {
    ...reference,
    name: 'fast',
    survey: (question) => inTurn(async () => (await look(question))?.survey ?? reference.survey(question)),
    moment: (question, weight) => inTurn(() => moment(question, weight)),
    profile: (model, lens) => inTurn(() => profile(model, lens)),
    draw: (request) => inTurn(() => draw(request)),
    take: (wanted) => inTurn(() => take(wanted)),
    features: async (wanted) => withWhole(await reference.features(wanted)),
    async close() {
      await turn
      stations.close()
      await reference.close()
    },
  }
}

/** What the uniform of a point must be above for its key to be at most `limit`, by cell. */
function thresholdsFor({ cells, occupied }: Brief, largest: Float64Array, limit: number): Int32Array {
  const thresholds = new Int32Array(2 * cells.count) // nobody is drawn from an empty cell
  for (let c = 0; c < occupied.length; c++) {
    // −ln u ≥ 1 − u. The margins are for rounding, and for masses between the scores that were looked at.
    const least = Math.max(0, 1 - 1.01 * limit * largest[c]!)
    thresholds[occupied[c]!] = Math.floor(least * 2 ** 31) - 1
  }
  return thresholds
}

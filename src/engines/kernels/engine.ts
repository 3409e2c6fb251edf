import { requireInput } from '../../core/errors.ts'
import { requireFeatures } from '../../core/features.ts'
import { isLinear, type Model } from '../../core/model.ts'
import { hashIds, type PointHashes, uniformsOf } from '../../core/randomness.ts'
import { sumOf } from '../../core/sums.ts'
import { type DrawRequest, type DrawResult, type Engine, requireComparable, requireWidth } from '../engine.ts'
import { idIndex } from '../id-index.ts'
import { keptClasses } from '../kept-classes.ts'
import { type MemoryPool, memoryEngine } from '../memory.ts'
import type { ScoreBatches } from '../row-beliefs.ts'
import type { RowClasses } from '../row-classes.ts'
import { type KernelBuild, kernelBuild, portableBuild } from './kernels.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { poolComparison } from './pool-comparison.ts'
import { canScore, exactScorer, roughScorer, type SurveyedPool, surveyedPool, surveyOf, takeRow } from './pool-survey.ts'
import { withRowAlgebra } from './row-algebra.ts'
import { SlabPasses, type SlabPool } from './slab-passes.ts'
import { byteSlabs, floatSlabs, hashesOfSlabs, rowsOfSlabs, smallestPool } from './slabs.ts'

export interface FastPool extends MemoryPool {
  /**
   * Bits of a feature where masses are made from it. 8 need a quarter of the room and are faster; the chances of being drawn are then
   * those of the rounded features, known as exactly, and the scores of what is drawn are those of the features as they were. Default 32.
   */
  readonly bits?: 8 | 32
  /** Pools smaller than this are left to the reference. Default 256 points. */
  readonly smallest?: number
  /** Bytes that features may take in one memory before another is begun. Default nearly 4 GiB. */
  readonly slabBytes?: number
}

/** Pools smaller than this have the same record on every machine, to the last bit: for them a fifth of the speed does not matter. */
const portableBelow = 4096

/** A pool in memory, worked on by kernels and all threads where they have an answer, and the way of the reference where they have none. */
export function fastEngine(pool: FastPool): Engine {
  const { ids, features, hashes = hashIds(ids), smallest = smallestPool } = pool
  const isLarge = ids.length >= smallest && features.rows === ids.length
  const build = ids.length < portableBelow ? portableBuild : kernelBuild
  requireFeatures(features)
  const slabs = build && isLarge ? slabsOf(pool, hashes) : undefined
  if (!build || !slabs) return memoryEngine(pool)
  return engineOn(build, slabs, { ...pool, hashes: hashesOfSlabs(slabs.slabs) ?? hashes })
}

function slabsOf({ features, bits = 32, slabBytes }: FastPool, hashes: PointHashes): SlabPool | undefined {
  if (bits === 8 && features.layout?.kind !== 'sparse') return byteSlabs(features, hashes)
  const slabs = floatSlabs(features, hashes, slabBytes)
  return slabs && { slabs }
}

type HashedPool = FastPool & Required<Pick<FastPool, 'hashes'>>

function engineOn(build: KernelBuild, slabs: SlabPool, given: HashedPool): Engine {
  const { ids, hashes } = given
  const features = rowsOfSlabs(slabs.slabs) ?? given.features
  const { index, drawnRows } = indexOf(ids, hashes)
  const passes = new SlabPasses(build, slabs)
  const pool = surveyedPool(slabs, passes, features)
  const classes = keptClasses<RowClasses>()
  const reference = memoryEngine({
    ...given,
    features,
    index,
    scores: (model) => kernelScores(pool, model),
    exactScores: (model) => exactScores(pool, model),
    classes: { ...classes, drawnWith: (model) => classes.drawnWith(model) }, // to make them takes longer here than to draw
  })
  const comparison = poolComparison(pool)
  const scorerFor = (model: Model) => exactScorer(features, model)
  const turns = oneAtATime()

  async function draw(request: DrawRequest): Promise<DrawResult> {
    const { model } = request
    const chosen = await chosenRows(pool, request, hashes)
    const exactAt = scorerFor(model)
    const isRough = slabs.scales !== undefined && isLinear(model) && canScore(pool, model)
    if (!chosen) {
      const { draws, survey } = await reference.draw(request)
      const ofRow = (row: number) => (isRough ? { predicting: exactAt(row) } : { scores: exactAt(row) })
      return { draws: draws.map((each) => ({ ...each, ...ofRow(index.rowOf(each.id)) })), survey }
    }
    const scoresAt = isRough ? roughScorer(pool, model) : exactAt
    await comparison.drawnWith(model)
    drawnRows.clear()
    const draws = chosen.rows.map(({ row, ...each }) => {
      drawnRows.set(ids[row]!, row)
      return { id: ids[row]!, ...each, scores: scoresAt(row), ...(isRough && { predicting: exactAt(row) }) }
    })
    return { draws, survey: chosen.survey }
  }

  /** As all questions write into the same places. */
  const inTurn = <T>(model: Model | undefined, answer: () => Promise<T>): Promise<T> =>
    turns.next(() => {
      if (model) requireWidth(model, features.columns)
      return answer()
    })

  const take = (wanted: readonly string[]) =>
    inTurn(undefined, async () => {
      await reference.take(wanted) // which refuses strangers
      for (const id of wanted) takeRow(pool, index.rowOf(id))
    })

  return {
    ...reference,
    name: 'fast',
    survey: (question) =>
      inTurn(question.model, async () => (await surveyOf(pool, question))?.survey ?? reference.survey(question)),
    compare: (question) =>
      inTurn(undefined, async () => {
        requireComparable(question, features.columns)
        return (await comparison.compare(question)) ?? reference.compare(question)
      }),
    stratified(model, stratify) {
      const own = reference.stratified(model, stratify)
      return {
        size: own.size,
        counts: (signal) => inTurn(model, () => own.counts(signal)),
        draw: (request, signal) => inTurn(model, () => own.draw(request, signal)),
        codesOf: (wanted, signal) => inTurn(model, () => own.codesOf(wanted, signal)),
        take,
      }
    },
    draw: (request) => inTurn(request.model, () => draw(request)),
    take,
    features: async (wanted) => withRowAlgebra(await reference.features(wanted)),
    async close() {
      await turns.done()
      passes.close()
      await reference.close()
    },
  }
}

/** Rows by id, and at once for those of the last draws: they will be taken, and to hash their ids again takes a while. */
function indexOf(ids: readonly string[], hashes: PointHashes) {
  const known = idIndex(ids, hashes)
  requireInput(known.repeated === 0, `pool: ids must be unique, got ${known.repeated} repeated`)
  const drawnRows = new Map<string, number>()
  return { index: { ...known, rowOf: (id: string) => drawnRows.get(id) ?? known.rowOf(id) }, drawnRows }
}

/** The scores of all points by the kernels, where they make them: those of rounded features, where features are bytes. */
function kernelScores(pool: SurveyedPool, model: Model): ScoreBatches | undefined {
  return canScore(pool, model) ? pool.passes.scores(model) : undefined
}

function exactScores(pool: SurveyedPool, model: Model): ScoreBatches | undefined {
  return pool.slabs.scales ? undefined : kernelScores(pool, model)
}

/** Successive draws. Undefined where the way of the reference is the better one. */
async function chosenRows(pool: SurveyedPool, { design, selector, size, stream, ...question }: DrawRequest, hashes: PointHashes) {
  if (selector || design.name !== 'successive' || size < 1) return undefined
  const found = await surveyOf(pool, question)
  if (!found || size > found.drawable / 8) return undefined
  const { survey, drawable } = found
  const own = uniformsOf(stream, hashes)
  // Keys below τ number about τ · Σ mass: so many that m are among them, all but certainly. If not, once more with a larger τ.
  for (let limit = (size + 6 * Math.sqrt(size) + 10) / survey.mass; ; limit *= 4) {
    const rows = await found.candidates(limit, stream)
    if (!rows) return undefined
    const masses = Float64Array.from(rows, found.massAt)
    const chosen = design.draw(masses, size, (i, repeat) => own(rows[i]!, repeat))
    const last = chosen.at(-1)
    const isSure = chosen.length === size && last && -Math.log(own(rows[last.index]!)) / last.mass <= limit
    if (!isSure && rows.length < drawable) continue
    const rest = Math.max(0, survey.mass - sumOf(masses)) // of the points that were passed over
    const drawn = chosen.map(({ index, mass, order, remaining }) => {
      const all = remaining + rest
      return { row: rows[index]!, probability: mass / all, order, mass, remaining: all }
    })
    return { rows: drawn, survey }
  }
}

import { scoreVotes } from '../../core/trees-model.ts'
import type { Kernels } from './kernels.ts'
import { chunkRows, type Form } from './slabs.ts'

/** What one engine has in a slab, besides the features: where each begins, in bytes. */
export interface SlabLayout {
  /** The next rows that no thread has taken; after it, how many other threads have finished. */
  readonly counter: number
  readonly table: number
  readonly thresholds: number
  /** What the cells hold in the end. */
  readonly gathered: number
  readonly weights: number
  /** The same as 32-bit floats, where features are no bytes. */
  readonly floatWeights: number
  readonly intercepts: number
  /** Scores that are so near to each other are told apart in doubles. */
  readonly near: number
  readonly scales: number
  /** A bit for each point that may no longer be drawn. */
  readonly taken: number
  /** The cell of each point, 16 bits. */
  readonly cellOf: number
  /** 0 until there is room for them: the statistics of each point, what each chunk comes to, and how masses are made of statistics. */
  readonly statistics: number
  readonly results: number
  readonly formula: number
  /** 0 until there is room for them: the vectors of forms. */
  readonly vectors: number
  readonly threads: readonly ThreadRegion[]
}

/** What each thread has for itself. */
export interface ThreadRegion {
  readonly scores: number
  readonly cells: number
  readonly found: number
}

/** Where the trees of a model lie, how many there are, and of how many classes. */
export interface TreesPlace {
  readonly roots: number
  readonly trees: number
  readonly nodes: number
  readonly leaves: number
  readonly classes: number
  readonly scale: number
  /** Whether the weights that were written last are those of a linear model beside them. */
  readonly hasBeside: boolean
}

/** One pass over a slab, for all threads together. */
export type Job = {
  readonly rows: number
  readonly form: Form
  readonly layout: SlabLayout
} & (
  | ({ readonly kind: 'tally' } & Signing)
  | ({
      readonly kind: 'statistics'
      readonly classes: number
      readonly areFloats: boolean
      readonly trees?: TreesPlace
    } & Labelling)
  | ({ readonly kind: 'differing' } & Counting)
  | { readonly kind: 'census' | 'massTotals' }
  | ({ readonly kind: 'removeVariance' } & FormShape)
  | { readonly kind: 'read'; readonly at: number; readonly bytesPerRow: number }
  | ({ readonly kind: 'pickByCell' } & Picking)
  | ({ readonly kind: 'pickByMass'; readonly limit: number; readonly most: number } & Picking)
  | { readonly kind: 'scores'; readonly width: number; readonly out: SharedArrayBuffer; readonly trees?: TreesPlace }
)

type JobOf<Kind extends Job['kind']> = Job & { readonly kind: Kind }

/** How long the vectors of two forms are, and how many each has: a multiple of 4. */
export interface FormShape {
  readonly width: number
  readonly first: number
  readonly second: number
}

/** Where a byte for the class of each point goes, or 0, and by how much it must be ahead to be certain. */
interface Labelling {
  readonly labels: number
  readonly doubt: number
}

/** Where a bit for the sign of each score goes, or 0, and one for each that is no farther from 0 than `doubt`. */
export interface Signing {
  readonly signs: number
  readonly unsure: number
  readonly doubt: number
}

/** The classes of a model and where those of others begin, of so many bits a point; and where each thread counts. */
interface Counting {
  readonly own: number
  readonly others: number
  readonly count: number
  readonly bits: 1 | 8
  readonly counts: readonly number[]
}

interface Picking {
  readonly hashes: { readonly low: number; readonly high: number }
  readonly keyLow: number
  readonly keyHigh: number
  readonly room: number
}

/** Doubles that the statistics of a chunk come to, at most. */
export const resultsPerChunk = 16

/** Bytes of a point's statistics, as in src/engines/kernels/assembly/statistics-layout.ts. */
export const statisticsBytes = 24

/** Rows of a slab that one thread works on: how the features lie from the first of them on, and what the thread has for itself. */
interface Block {
  readonly kernels: Kernels
  readonly memory: SharedArrayBuffer
  readonly start: number
  readonly rows: number
  readonly form: Form
  readonly region: ThreadRegion
  readonly thread: number
}

/** Takes some rows of a job, and some more, until none are left. Which thread takes which changes nothing. */
export function runJob(kernels: Kernels, memory: SharedArrayBuffer, job: Job, thread: number): void {
  const { layout, rows, form } = job
  const region = layout.threads[thread]!
  const counter = new Int32Array(memory, layout.counter, 1)
  const size = rowsAtOnce(job)
  const next = () => Atomics.add(counter, 0, 1) * size
  for (let start = next(); start < rows; start = next())
    runBlock({ kernels, memory, start, rows: Math.min(size, rows - start), form: formAt(form, start), region, thread }, job)
}

/** Rows that a thread takes at once: a chunk, or as many as it takes for all to be done at about the same time without asking for more too often. */
function rowsAtOnce({ kind, rows }: Job): number {
  if (kind === 'differing') return 2 ** 19 // so much of each model, one after another, that memory is read ahead
  if (kind !== 'tally' && kind !== 'pickByCell' && kind !== 'read') return chunkRows
  return 1024 * Math.min(32, Math.ceil(rows / 64 / 1024))
}

function runBlock(block: Block, job: Job): void {
  const { kernels, start, rows } = block
  if (job.kind === 'tally') tally(block, job)
  else if (job.kind === 'scores') copyScores(block, job)
  else if (job.kind === 'statistics') statistics(block, job)
  else if (job.kind === 'differing') countDiffering(block, job)
  else if (job.kind === 'pickByCell' || job.kind === 'pickByMass') pick(block, job)
  else if (job.kind === 'removeVariance') removeVariance(block, job)
  else if (job.kind === 'read') kernels.readAll({ at: job.at + start * job.bytesPerRow, bytes: rows * job.bytesPerRow })
  else useStatistics(block, job)
}

function tally({ kernels, memory, start, rows, form, region }: Block, { layout, doubt, ...job }: JobOf<'tally'>): void {
  const { scores, cells, found: doubtful } = region
  const { floatWeights: weights, weights: doubles, table } = layout
  const [intercept, near] = [doubleAt(memory, layout.intercepts), doubleAt(memory, layout.near)]
  const [signs, unsure] = job.signs === 0 ? [0, 0] : [job.signs + start / 8, job.unsure + start / 8]
  const to = { taken: layout.taken + start / 8, table, cells, out: layout.cellOf + 2 * start, doubt, signs, unsure }
  if (form.kind === 'floats') {
    const { features, columns } = form
    kernels.tallyDense({ features, rows, columns, weights, intercept, near, scores, doubtful, ...to })
    kernels.tallyDoubtful({ features, columns, doubles, intercept, doubtful, table, cells, out: to.out })
  } else if (form.kind === 'bytes') {
    const { features, stride } = form
    const scale = doubleAt(memory, layout.scales)
    kernels.tallyBytes({ features, rows, stride, weights: doubles, scale, intercept, scores, ...to })
  } else kernels.tallySparse({ ...form, rows, weights, doubles, intercept, near, scores, ...to })
}

/** The scores of some points, in doubles. */
function writeScores(block: Block, { layout, trees }: JobOf<'scores' | 'statistics'>, count: number, out: number): void {
  if (trees) writeTreeScores(block, { layout, trees }, count, out)
  else writeLinearScores(block, layout, count, out)
}

function writeLinearScores({ kernels, rows, form }: Block, layout: SlabLayout, count: number, out: number): void {
  const { weights, intercepts, scales } = layout
  const to = { rows, weights, intercepts, count, out }
  if (form.kind === 'floats') kernels.scoreDense({ ...form, ...to })
  else if (form.kind === 'bytes') kernels.scoreBytes({ ...form, ...to, scales })
  else kernels.scoreSparse({ ...form, ...to })
}

interface TreesJob {
  readonly layout: SlabLayout
  readonly trees: TreesPlace
}

/** The same of trees. `count`: 2 for both of two classes, of which the first has 0. */
function writeTreeScores(block: Block, { layout, trees }: TreesJob, count: number, out: number): void {
  const { kernels, memory, rows, form, region } = block
  if (form.kind !== 'floats') throw new Error('kernels: trees need features as floats')
  const { classes, scale, hasBeside } = trees
  const width = classes === 2 ? 1 : classes
  const linear = out + 8 * classes * rows // behind the votes
  kernels.countVotes({ ...form, ...trees, rows, work: region.found, out })
  if (hasBeside) writeLinearScores(block, layout, width, linear)
  const scores = new Float64Array(memory, out, rows * classes)
  const beside = new Float64Array(memory, linear, hasBeside ? rows * width : 0)
  for (let i = 0; i < rows; i++) {
    const at = i * count + (count === classes && classes === 2 ? 1 : 0)
    scoreVotes(trees, scores, i * classes, scores, at)
    if (hasBeside) for (let k = 0; k < width; k++) scores[at + k]! += scale * beside[i * width + k]!
    if (count === 2) scores[2 * i] = 0
  }
}

function copyScores(block: Block, job: JobOf<'scores'>): void {
  const { memory, start, rows, region } = block
  writeScores(block, job, job.width, region.scores)
  const own = new Float64Array(memory, region.scores, rows * job.width)
  new Float64Array(job.out, 8 * start * job.width, own.length).set(own)
}

function statistics(block: Block, job: JobOf<'statistics'>): void {
  const { kernels, memory, start, rows, form, region } = block
  const { layout, classes, areFloats, doubt } = job
  const { scores, found: work } = region
  const labels = job.labels === 0 ? 0 : job.labels + start
  const out = layout.statistics + statisticsBytes * start
  if (areFloats && form.kind === 'floats') {
    const { features, columns } = form
    const { floatWeights: weights, weights: doubles, intercepts } = layout
    const near = doubleAt(memory, layout.near)
    kernels.statisticsDense({ features, rows, columns, weights, doubles, intercepts, classes, near, doubt, work, labels, out })
  } else {
    writeScores(block, job, classes, scores)
    kernels.statistics({ scores, rows, classes, doubt, work, labels, out })
  }
}

function countDiffering({ kernels, start, rows, thread }: Block, job: JobOf<'differing'>): void {
  const { own, others, count, bits } = job
  const bytes = Math.ceil((rows * bits) / 8)
  kernels.countDiffering({ own, others, count, from: (start * bits) / 8, bytes, bits, counts: job.counts[thread]! })
}

function pick({ kernels, start: first, rows, region }: Block, job: JobOf<'pickByCell' | 'pickByMass'>): void {
  const { keyLow, keyHigh, room, layout } = job
  const { thresholds, formula } = layout
  const { found } = region
  const [low, high] = [job.hashes.low + 4 * first, job.hashes.high + 4 * first]
  if (job.kind === 'pickByCell') {
    const cells = layout.cellOf + 2 * first
    kernels.pickByCell({ low, high, cells, rows, first, thresholds, keyLow, keyHigh, found, room })
  } else {
    const { limit, most } = job
    const [statistics, taken] = [layout.statistics + statisticsBytes * first, layout.taken + first / 8]
    kernels.pickByMass({ low, high, statistics, rows, first, taken, formula, limit, most, keyLow, keyHigh, found, room })
  }
}

function useStatistics({ kernels, start, rows, region }: Block, { kind, layout }: JobOf<'census' | 'massTotals'>): void {
  const { formula } = layout
  const statistics = layout.statistics + statisticsBytes * start
  const taken = layout.taken + start / 8
  const out = layout.results + (8 * resultsPerChunk * start) / chunkRows
  if (kind === 'census') kernels.census({ statistics, rows, taken, formula, bins: region.cells, out })
  else kernels.massTotals({ statistics, rows, taken, formula, out })
}

function removeVariance({ kernels, start, rows, form, region }: Block, { layout, ...job }: JobOf<'removeVariance'>): void {
  if (form.kind !== 'floats') return
  const { width, first, second } = job
  const statistics = layout.statistics + statisticsBytes * start
  kernels.removeVariance({ ...form, rows, width, first, second, vectors: layout.vectors, work: region.found, statistics })
}

/** The same features, with the rows from `start` on. */
export function formAt(form: Form, start: number): Form {
  if (form.kind === 'floats') return { ...form, features: form.features + 4 * start * form.columns }
  if (form.kind === 'bytes') return { ...form, features: form.features + start * form.stride }
  return { ...form, starts: form.starts + 4 * start }
}

/** Where threads other than the first count those that have finished a job. */
export function finishedIn(memory: SharedArrayBuffer, { counter }: SlabLayout): Int32Array {
  return new Int32Array(memory, counter + 4, 1)
}

const doubleAt = (memory: SharedArrayBuffer, at: number) => new Float64Array(memory, at, 1)[0]!

/** The score of one point for some class, as `tally` and `statisticsDense` have it, by the model that was written last. */
export function floatScorer(
  kernels: Kernels,
  memory: SharedArrayBuffer,
  { form, layout }: Pick<Job, 'form' | 'layout'>,
  k = 0,
): (row: number) => number {
  const { columns } = form
  const out = layout.threads[0]!.scores
  const score = new Float32Array(memory, out, 1)
  const own = { intercept: doubleAt(memory, layout.intercepts + 8 * k), near: doubleAt(memory, layout.near), out }
  const dense = { weights: layout.floatWeights + 4 * floatWidth(columns) * k, doubles: layout.weights + 8 * columns * k }
  const bytes = {
    weights: layout.weights + (form.kind === 'bytes' ? 2 * form.stride * k : 0),
    scale: doubleAt(memory, layout.scales + 8 * k),
  }
  return (row) => {
    const from = formAt(form, row)
    if (from.kind === 'floats') kernels.floatScoreDense({ ...own, ...dense, row: from.features, columns, table: layout.table })
    else if (from.kind === 'bytes') kernels.floatScoreBytes({ ...own, ...bytes, row: from.features, step: 0, bytes: from.stride })
    else kernels.floatScoreSparse({ ...own, ...from, weights: layout.floatWeights, doubles: layout.weights })
    return score[0]!
  }
}

/** Floats of a class among the weights in 32 bits. */
export const floatWidth = (columns: number) => Math.ceil(columns / 4) * 4

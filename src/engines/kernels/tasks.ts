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
  /** 0 until there is room for them: the matrices of quadratic forms, and what each part of the slab adds to a moment. */
  readonly matrices: number
  readonly moments: number
  readonly threads: readonly ThreadRegion[]
}

/** What each thread has for itself. */
export interface ThreadRegion {
  readonly scores: number
  readonly cells: number
  readonly found: number
}

/** One pass over a slab, for all threads together. */
export type Job = {
  readonly rows: number
  readonly form: Form
  readonly layout: SlabLayout
} & (
  | { readonly kind: 'tally' }
  | { readonly kind: 'statistics'; readonly classes: number; readonly areFloats: boolean }
  | { readonly kind: 'census' | 'massTotals' | 'removeVariance' | 'moment' }
  | { readonly kind: 'read'; readonly at: number; readonly bytesPerRow: number }
  | ({ readonly kind: 'pickByCell' } & Picking)
  | ({ readonly kind: 'pickByMass'; readonly limit: number; readonly most: number } & Picking)
  | { readonly kind: 'scores'; readonly first: number; readonly width: number; readonly out: SharedArrayBuffer }
)

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

/** Parts of a slab that moments are added up in: always the same, so that sums come out the same. */
export const momentParts = 16

/** Doubles of a row in quadratic forms and moments: the features, a 1, and a 0 if that makes it even. */
export const formWidth = (columns: number) => (columns + 2) & ~1

/** Takes some rows of a job, and some more, until none are left. Which thread takes which changes nothing. */
export function runJob(kernels: Kernels, memory: SharedArrayBuffer, job: Job, thread: number): void {
  const { layout, rows } = job
  const counter = new Int32Array(memory, layout.counter, 1)
  const size = rowsAtOnce(job)
  const next = () => Atomics.add(counter, 0, 1) * size
  for (let start = next(); start < rows; start = next())
    runBlock(kernels, blockOf(memory, job, thread, start, Math.min(size, rows - start)), job)
}

/** Rows that a thread takes at once: a chunk, or as many as it takes for all to be done at about the same time without asking for more too often. */
function rowsAtOnce({ kind, rows }: Job): number {
  if (kind === 'moment') return rowsOfPart(rows)
  if (kind !== 'tally' && kind !== 'pickByCell' && kind !== 'read') return chunkRows
  return 1024 * Math.min(32, Math.ceil(rows / 64 / 1024))
}

/** Rows of each part that a moment is added up in: whole chunks. */
const rowsOfPart = (rows: number) => Math.ceil(rows / chunkRows / momentParts) * chunkRows

type Block = ReturnType<typeof blockOf>

/** Some rows, by the names that kernels have for where things lie: what there is for each row begins at the first of these. */
function blockOf(memory: SharedArrayBuffer, { layout, form }: Job, thread: number, start: number, rows: number) {
  const { scores, cells, found } = layout.threads[thread]!
  return {
    ...layout,
    memory,
    start,
    rows,
    first: start,
    from: formAt(form, start),
    taken: layout.taken + start / 8,
    cellOf: layout.cellOf + 2 * start,
    statistics: layout.statistics + statisticsBytes * start,
    results: layout.results + (8 * resultsPerChunk * start) / chunkRows,
    doubles: layout.weights,
    near: doubleAt(memory, layout.near),
    scores,
    cells,
    found,
    work: found,
    doubtful: found,
  }
}

/** The same form, with the rows from `start` on. */
function formAt(form: Form, start: number): Form {
  if (form.kind === 'floats') return { ...form, features: form.features + 4 * start * form.columns }
  if (form.kind === 'bytes') return { ...form, features: form.features + start * form.stride }
  return { ...form, starts: form.starts + 4 * start }
}

function runBlock(kernels: Kernels, block: Block, job: Job): void {
  const { memory, start, rows, from, statistics, results: out } = block
  if (job.kind === 'tally') tally(kernels, block)
  else if (job.kind === 'read') kernels.readAll({ at: job.at + start * job.bytesPerRow, bytes: rows * job.bytesPerRow })
  else if (job.kind === 'scores') {
    writeScores(kernels, block, job.width)
    const own = new Float64Array(memory, block.scores, rows * job.width)
    new Float64Array(job.out, 8 * (job.first + start) * job.width, own.length).set(own)
  } else if (job.kind === 'statistics') {
    const { classes } = job
    if (job.areFloats && from.kind === 'floats')
      kernels.statisticsDense({ ...block, ...from, classes, weights: block.floatWeights, out: statistics })
    else {
      writeScores(kernels, block, classes)
      kernels.statistics({ ...block, classes, out: statistics })
    }
  } else if (job.kind === 'pickByCell' || job.kind === 'pickByMass') {
    const given = { ...job, ...block, low: job.hashes.low + 4 * start, high: job.hashes.high + 4 * start }
    if (given.kind === 'pickByCell') kernels.pickByCell({ ...given, cells: block.cellOf })
    else kernels.pickByMass(given)
  } else if (job.kind === 'census') kernels.census({ ...block, bins: block.cells, out })
  else if (job.kind === 'massTotals') kernels.massTotals({ ...block, out })
  else if (from.kind === 'floats') {
    const sums = block.moments + 8 * formWidth(from.columns) ** 2 * (start / rowsOfPart(job.rows))
    if (job.kind === 'moment') kernels.addMoment({ ...block, ...from, out: sums })
    else kernels.removeVariance({ ...block, ...from })
  }
}

function tally(kernels: Kernels, block: Block): void {
  const { memory, from, cellOf: out, floatWeights } = block
  const given = { ...block, intercept: doubleAt(memory, block.intercepts), out }
  if (from.kind === 'floats') {
    kernels.tallyDense({ ...given, ...from, weights: floatWeights })
    kernels.tallyDoubtful({ ...given, ...from })
  } else if (from.kind === 'bytes') kernels.tallyBytes({ ...given, ...from, scale: doubleAt(memory, block.scales) })
  else kernels.tallySparse({ ...given, ...from, weights: floatWeights })
}

/** The scores of some points, in doubles. */
function writeScores(kernels: Kernels, block: Block, count: number): void {
  const { from, scores: out } = block
  if (from.kind === 'floats') kernels.scoreDense({ ...block, ...from, count, out })
  else if (from.kind === 'bytes') kernels.scoreBytes({ ...block, ...from, count, out })
  else kernels.scoreSparse({ ...block, ...from, count, out })
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
  const numbers = { intercept: doubleAt(memory, layout.intercepts + 8 * k), near: doubleAt(memory, layout.near) }
  const scale = doubleAt(memory, layout.scales)
  const own = { weights: layout.floatWeights + 4 * floatWidth(columns) * k, doubles: layout.weights + 8 * columns * k }
  return (row) => {
    const from = formAt(form, row)
    const given = { ...layout, ...numbers, out }
    if (from.kind === 'floats') kernels.floatScoreDense({ ...given, ...own, row: from.features, columns })
    else if (from.kind === 'bytes') kernels.floatScoreBytes({ ...given, row: from.features, step: 0, bytes: from.stride, scale })
    else kernels.floatScoreSparse({ ...given, ...from, weights: layout.floatWeights, doubles: layout.weights })
    return score[0]!
  }
}

/** Floats of a class among the weights in 32 bits. */
export const floatWidth = (columns: number) => Math.ceil(columns / 4) * 4

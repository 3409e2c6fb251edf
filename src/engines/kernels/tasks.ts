import type { Kernels } from './kernels.ts'
import { chunkRows, type Form } from './slabs.ts'

/** What one engine has in a slab, besides the features: where each begins, in bytes. */
export interface Desk {
  /** The next chunk that nobody has taken; after it, how many other threads have finished. */
  readonly counter: number
  readonly table: number
  readonly thresholds: number
  /** What the cells hold in the end. */
  readonly gathered: number
  readonly weights: number
  /** The same as 32-bit floats, where features are no bytes. */
  readonly short: number
  readonly intercepts: number
  /** Scores that are so near to each other are told apart in doubles. */
  readonly near: number
  readonly scales: number
  /** A bit for each point that may no longer be drawn. */
  readonly taken: number
  /** The cell of each point, 16 bits. */
  readonly cellOf: number
  /** Once points are judged, and 0 before: what is known of each, what each chunk comes to, and how masses are made of it. */
  readonly judged: number
  readonly results: number
  readonly recipe: number
  /** Once there are quadratic forms, and 0 before: their matrices, and what each part of the slab adds to a moment. */
  readonly matrices: number
  readonly moments: number
  /** For each thread. */
  readonly places: readonly ThreadPlace[]
}

export interface ThreadPlace {
  readonly scores: number
  readonly cells: number
  readonly found: number
}

/** One pass over a slab, for all threads together. */
export type Job = {
  readonly rows: number
  readonly form: Form
  readonly desk: Desk
} & (
  | { readonly kind: 'tally' }
  | { readonly kind: 'judge'; readonly classes: number; readonly isShort: boolean }
  | { readonly kind: 'census' | 'weigh' | 'removeVariance' | 'moment' }
  | { readonly kind: 'read'; readonly at: number; readonly bytesPerRow: number }
  | ({ readonly kind: 'pick' } & Picking)
  | ({ readonly kind: 'pickWeighed'; readonly limit: number; readonly most: number } & Picking)
  | { readonly kind: 'scores'; readonly first: number; readonly width: number; readonly out: SharedArrayBuffer }
)

interface Picking {
  readonly hashes: { readonly low: number; readonly high: number }
  readonly keyLow: number
  readonly keyHigh: number
  readonly room: number
}

/** Doubles that a chunk of judged points comes to, at most. */
export const resultsPerChunk = 16

/** Bytes that are kept of a judged point, as in src/engines/kernels/assembly/judged.ts. */
export const bytesJudged = 24

/** Parts of a slab that moments are added up in: always the same, so that sums come out the same. */
export const momentParts = 16

/** Doubles of a row in quadratic forms and moments: the features, a 1, and a 0 if that makes it even. */
export const formWidth = (columns: number) => (columns + 2) & ~1

/** Takes some rows of a job, and some more, until none are left. Who does which changes nothing. */
export function work(kernels: Kernels, memory: SharedArrayBuffer, job: Job, thread: number): void {
  const { desk, rows } = job
  const place = desk.places[thread]!
  const counter = new Int32Array(memory, desk.counter, 1)
  const size = rowsAtOnce(job)
  const next = () => Atomics.add(counter, 0, 1) * size
  for (let start = next(); start < rows; start = next()) {
    const count = Math.min(size, rows - start)
    if (job.kind === 'pick') {
      const { hashes, keyLow, keyHigh, room } = job
      const [low, high, cells] = [hashes.low + 4 * start, hashes.high + 4 * start, desk.cellOf + 2 * start]
      kernels.pick(low, high, cells, count, start, desk.thresholds, keyLow, keyHigh, place.found, room)
    } else if (job.kind === 'read') kernels.readAll(job.at + start * job.bytesPerRow, count * job.bytesPerRow)
    else if (job.kind === 'tally') tally(kernels, memory, job, start, count, place)
    else if (job.kind === 'judge') judge(kernels, memory, job, start, count, place)
    else if (job.kind === 'scores') {
      writeScores(kernels, job, start, count, job.width, place.scores)
      const own = new Float64Array(memory, place.scores, count * job.width)
      new Float64Array(job.out, 8 * (job.first + start) * job.width, own.length).set(own)
    } else workOnJudged(kernels, job, start, count, place)
  }
}

/** Rows that a thread takes at once: a chunk, or as many as it takes for all to be done at about the same time without asking for more too often. */
function rowsAtOnce({ kind, rows }: Job): number {
  if (kind === 'moment') return rowsOfPart(rows)
  if (kind !== 'tally' && kind !== 'pick' && kind !== 'read') return chunkRows
  return 1024 * Math.min(32, Math.ceil(rows / 64 / 1024))
}

/** Rows of each part that a moment is added up in: whole chunks. */
const rowsOfPart = (rows: number) => Math.ceil(rows / chunkRows / momentParts) * chunkRows

function judge(
  kernels: Kernels,
  memory: SharedArrayBuffer,
  job: Job & { kind: 'judge' },
  start: number,
  count: number,
  { scores, found: workspace }: ThreadPlace,
): void {
  const { desk, form, classes, isShort } = job
  const out = desk.judged + bytesJudged * start
  if (isShort && form.kind === 'floats') {
    const { short, weights, intercepts } = desk
    const features = form.features + 4 * start * form.columns
    const near = doubleAt(memory, desk.near)
    kernels.judgeDense(features, count, form.columns, short, weights, intercepts, classes, near, workspace, out)
  } else {
    writeScores(kernels, job, start, count, classes, scores)
    kernels.judge(scores, count, classes, workspace, out)
  }
}

function workOnJudged(
  kernels: Kernels,
  job: Job & { kind: 'census' | 'weigh' | 'removeVariance' | 'moment' | 'pickWeighed' },
  start: number,
  count: number,
  { cells, found }: ThreadPlace,
): void {
  const { form } = job
  const { judged, results, recipe, matrices, moments, taken } = job.desk
  const points = judged + bytesJudged * start
  const own = taken + start / 8
  const out = results + (8 * resultsPerChunk * start) / chunkRows
  if (job.kind === 'census') kernels.census(points, count, own, recipe, cells, out)
  else if (job.kind === 'weigh') kernels.weigh(points, count, own, recipe, out)
  else if (job.kind === 'pickWeighed') {
    const { hashes, limit, most, keyLow, keyHigh, room } = job
    const [low, high] = [hashes.low + 4 * start, hashes.high + 4 * start]
    kernels.pickWeighed(low, high, points, count, start, own, recipe, limit, most, keyLow, keyHigh, found, room)
  } else if (form.kind === 'floats') {
    const features = form.features + 4 * start * form.columns
    const to = moments + 8 * formWidth(form.columns) ** 2 * (start / rowsOfPart(job.rows))
    if (job.kind === 'moment') kernels.addMoment(features, count, form.columns, points, own, recipe, found, to)
    else kernels.removeVariance(features, count, form.columns, matrices, found, points)
  }
}

/** Where threads other than the first count those that have finished a job. */
export function finishedIn(memory: SharedArrayBuffer, { counter }: Desk): Int32Array {
  return new Int32Array(memory, counter + 4, 1)
}

type TaskPlace = Pick<Job, 'form' | 'desk'>

/** The scores of some points, in doubles. */
function writeScores(
  kernels: Kernels,
  { form, desk }: TaskPlace,
  start: number,
  count: number,
  width: number,
  out: number,
): void {
  const { weights, intercepts, scales } = desk
  if (form.kind === 'floats')
    kernels.scoreDense(form.features + 4 * start * form.columns, count, form.columns, weights, intercepts, width, out)
  else if (form.kind === 'bytes')
    kernels.scoreBytes(form.features + start * form.stride, count, form.stride, weights, scales, intercepts, width, out)
  else kernels.scoreSparse(form.starts + 4 * start, form.indices, form.values, count, weights, intercepts, width, out)
}

function tally(
  kernels: Kernels,
  memory: SharedArrayBuffer,
  { form, desk }: TaskPlace,
  start: number,
  count: number,
  { scores, cells, found: later }: ThreadPlace,
): void {
  const [intercept, near] = [doubleAt(memory, desk.intercepts), doubleAt(memory, desk.near)]
  const { short, weights } = desk
  const to = [desk.table, cells, desk.cellOf + 2 * start] as const
  const taken = desk.taken + start / 8
  if (form.kind === 'floats') {
    const features = form.features + 4 * start * form.columns
    kernels.tallyDense(features, count, form.columns, short, intercept, near, scores, later, taken, ...to)
    kernels.tallyNear(features, form.columns, weights, intercept, later, ...to)
  } else if (form.kind === 'bytes') {
    const features = form.features + start * form.stride
    kernels.tallyBytes(features, count, form.stride, weights, doubleAt(memory, desk.scales), intercept, scores, taken, ...to)
  } else {
    const { starts, indices, values } = form
    kernels.tallySparse(starts + 4 * start, indices, values, count, short, weights, intercept, near, scores, taken, ...to)
  }
}

const doubleAt = (memory: SharedArrayBuffer, at: number) => new Float64Array(memory, at, 1)[0]!

/** The score of one point for some class, as `tally` and `judgeDense` have it, by the model that is on the desk now. */
export function shortScorer(
  kernels: Kernels,
  memory: SharedArrayBuffer,
  { form, desk }: TaskPlace,
  k = 0,
): (row: number) => number {
  const out = desk.places[0]!.scores
  const score = new Float32Array(memory, out, 1)
  const intercept = doubleAt(memory, desk.intercepts + 8 * k)
  const [near, scale] = [doubleAt(memory, desk.near), doubleAt(memory, desk.scales)]
  const [short, weights] = [desk.short + 4 * shortWidth(form.columns) * k, desk.weights + 8 * form.columns * k]
  return (row) => {
    if (form.kind === 'floats')
      kernels.shortDense(form.features + 4 * row * form.columns, form.columns, short, weights, intercept, near, desk.table, out)
    else if (form.kind === 'bytes')
      kernels.shortBytes(form.features + row * form.stride, 0, form.stride, desk.weights, scale, intercept, out)
    else kernels.shortSparse(form.starts + 4 * row, form.indices, form.values, desk.short, desk.weights, intercept, near, out)
    return score[0]!
  }
}

/** Floats of a class among the short weights. */
export const shortWidth = (columns: number) => Math.ceil(columns / 4) * 4

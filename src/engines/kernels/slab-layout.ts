import type { FeatureRows } from '../../core/features.ts'
import { marginBins } from '../../core/margins.ts'
import { type LinearModel, scorerOf, scoresPerPoint } from '../../core/model.ts'
import { firstBin, firstEdge, type MassFormula, marginEdges, marginSlots, recipeNumbers } from './class-statistics.ts'
import { type Cells, mostCells } from './score-cells.ts'
import { numbersPerCell } from './score-quadrature.ts'
import { addRoom, type ByteScales, chunkRows, rowsOfSlabs, type Slab } from './slabs.ts'
import { bytesJudged, type Desk, formWidth, momentParts, resultsPerChunk, shortWidth } from './tasks.ts'
import { threads } from './threads.ts'
import type { SharedMemory } from './webassembly.ts'

/** Points that one look at a pool may single out, for each thread. */
export const room = 2 ** 16

/** An engine's own place in a slab. */
export interface Place {
  readonly desk: Desk
  writeModel(model: LinearModel, scales?: ByteScales): void
  writeCells(cells: Cells): void
  /** By cell, in units of 2⁻³¹. */
  writeThresholds(thresholds: Int32Array): void
  /** A point of the slab may no longer be drawn. Whether it could be until now. */
  take(row: number): boolean
  /** Forgets what was found. */
  clearFound(): void
  /** Rows of the slab that were found; undefined if they were too many. */
  found(): Int32Array | undefined
  /** Makes room for what is judged of every point, if there is none yet. */
  prepareToJudge(): void
  /** How masses are made of what was judged. */
  writeRecipe(recipe: MassFormula): void
  /** Whatever each chunk of judged points came to, one after another. */
  results(): Float64Array
  /** How many points each bin of margins has, over all threads, and forgets it. */
  binsCounted(): Float64Array
  /** Makes room for quadratic forms and moments, if there is none yet. */
  prepareForms(): void
  /** Symmetric matrices, a column wider than the features. */
  writeForms(forms: readonly Float64Array[]): void
  /** Forgets the moment. */
  clearMoment(): void
  /** What all parts add to the moment: of each row of the matrix what is on its diagonal and on its right. */
  moment(): Float64Array
  /** Another engine may have the place. */
  leave(): void
}

/** The cell of points that may not be drawn, as in src/engines/kernels/assembly/tally.ts. */
const nowhere = 0xffff

/** Places that engines have left. */
const spare = new WeakMap<SharedMemory, Desk[]>()

export function placeIn(slab: Slab): Place {
  const { memory, rows, form } = slab
  const base = { scores: 0, weights: 0, width: 0 } // grows with the classes
  let writtenModel: LinearModel | undefined
  let writtenCells: Cells | undefined
  const chunks = Math.ceil(rows / chunkRows)
  const left = spare.get(memory) ?? []
  let desk = left.pop() ?? fixedDesk(slab)
  new Uint8Array(memory.buffer, desk.taken, (rows >> 3) + 8).fill(0)
  const doubles = (at: number, length: number) => new Float64Array(memory.buffer, at, length)
  const floats = (at: number, length: number) => new Float32Array(memory.buffer, at, length)
  const features = rowsOfSlabs([slab])
  const wide = formWidth(form.columns)
  const square = wide ** 2

  const takenBits = () => new Uint32Array(memory.buffer, desk.taken, (rows >> 5) + 1)

  /** Room for the weights of so many classes, and for their scores of a chunk. */
  function widen(width: number): void {
    if (width <= base.width) return
    const stride = form.kind === 'bytes' ? form.stride : form.columns
    const scores = 8 * chunkRows * width
    const short = 8 * stride * width
    const all = short + 4 * shortWidth(stride) * width
    base.weights = addRoom(slab, all + threads() * (scores + 64))
    base.scores = Math.ceil((base.weights + all) / 64) * 64
    base.width = width
    desk = {
      ...desk,
      weights: base.weights,
      short: base.weights + short,
      places: desk.places.map((place, k) => ({ ...place, scores: base.scores + k * (scores + 64) })),
    }
  }

  return {
    get desk() {
      return desk
    },
    writeModel(model, scales) {
      if (model === writtenModel) return
      writtenModel = model
      const width = scoresPerPoint(model)
      const { columns } = form
      widen(width)
      const intercepts = doubles(desk.intercepts, width)
      intercepts.set(model.intercepts)
      if (form.kind !== 'bytes') {
        const weights = doubles(desk.weights, columns * width)
        const [along, apart] = form.kind === 'sparse' ? [width, 1] : [1, columns] // classes side by side, or one after another
        for (const [k, row] of model.weights.entries()) for (let j = 0; j < columns; j++) weights[j * along + k * apart] = row[j]!
        const apartShort = shortWidth(columns)
        const short = new Float32Array(memory.buffer, desk.short, apartShort * width).fill(0)
        for (const [k, row] of model.weights.entries()) short.set(row, k * apartShort)
        doubles(desk.near, 1)[0] = nearFor(model, features)
      } else if (scales) {
        const factors = doubles(desk.scales, width)
        for (const [k, row] of model.weights.entries()) {
          const { weights, factor, shift } = wholeWeights(row, scales, form.stride)
          new Int16Array(memory.buffer, desk.weights + 2 * k * form.stride, form.stride).set(weights)
          factors[k] = factor
          intercepts[k]! += shift
        }
      }
    },
    writeCells(cells) {
      if (cells === writtenCells) return
      new Uint32Array(memory.buffer, desk.table, cells.table.length).set(cells.table)
      writtenCells = cells
    },
    writeThresholds(thresholds) {
      const all = new Int32Array(memory.buffer, desk.thresholds, 2 ** 16)
      all.set(thresholds)
      all[nowhere] = 2 ** 31 - 1
    },
    take(row) {
      const bits = takenBits()
      const before = bits[row >> 5]!
      bits[row >> 5] = before | (1 << (row & 31))
      return before !== bits[row >> 5]
    },
    clearFound() {
      for (const { found } of desk.places) new Int32Array(memory.buffer, found, 1)[0] = 0
    },
    found() {
      const lists = desk.places.map(({ found }) => {
        const count = new Int32Array(memory.buffer, found, 1)[0]!
        return count > room ? undefined : new Int32Array(memory.buffer, found + 4, count)
      })
      const all = new Int32Array(lists.reduce((sum, list) => sum + (list?.length ?? 0), 0))
      let at = 0
      for (const list of lists) {
        if (!list) return undefined
        all.set(list, at)
        at += list.length
      }
      return all.sort() // whoever found them
    },
    prepareToJudge() {
      if (desk.judged > 0) return
      const judged = addRoom(slab, bytesJudged * (rows + 3))
      const recipe = addRoom(slab, 4 * recipeNumbers + marginSlots.length)
      desk = { ...desk, judged, recipe, results: addRoom(slab, 8 * resultsPerChunk * chunks) }
      floats(recipe + 4 * firstEdge, marginEdges.length).set(marginEdges)
      new Uint8Array(memory.buffer, recipe + 4 * recipeNumbers, marginSlots.length).set(marginSlots)
    },
    writeRecipe({ coefficients, byBin }) {
      floats(desk.recipe, coefficients.length).set(coefficients)
      floats(desk.recipe + 4 * firstBin, byBin.length).set(byBin)
    },
    prepareForms() {
      if (desk.matrices > 0) return
      const matrices = addRoom(slab, 8 * square * (2 + momentParts))
      desk = { ...desk, matrices, moments: matrices + 2 * 8 * square }
    },
    writeForms(forms) {
      const own = form.columns + 1
      const matrices = doubles(desk.matrices, 2 * square).fill(0)
      for (const [f, matrix] of forms.entries())
        for (let i = 0; i < own; i++)
          for (let j = 0; j <= i; j++) matrices[f * square + i * wide + j] = (j < i ? 2 : 1) * matrix[i * own + j]!
    },
    clearMoment() {
      doubles(desk.moments, momentParts * square).fill(0)
    },
    moment() {
      const own = form.columns + 1
      const sum = new Float64Array(own * own)
      for (let part = 0; part < momentParts; part++) {
        const matrix = doubles(desk.moments + 8 * square * part, square)
        for (let i = 0; i < own; i++) for (let j = i; j < own; j++) sum[i * own + j]! += matrix[i * wide + j]!
      }
      return sum
    },
    results: () => doubles(desk.results, resultsPerChunk * chunks),
    binsCounted() {
      const counted = new Float64Array(marginBins)
      for (const { cells } of desk.places) {
        const own = new Uint32Array(memory.buffer, cells, marginBins)
        for (let bin = 0; bin < marginBins; bin++) counted[bin]! += own[bin]!
        own.fill(0)
      }
      return counted
    },
    leave() {
      left.push({ ...desk, weights: 0 })
      spare.set(memory, left)
    },
  }
}

/** Everything whose size is known beforehand, one after another. */
function fixedDesk(slab: Slab): Desk {
  const sizes = [
    64,
    4 * 2 ** 15,
    4 * 2 ** 16,
    8 * numbersPerCell * 2 * mostCells,
    8 * 1024,
    8,
    8 * 1024,
    slab.rows / 8 + 64,
    2 * slab.rows,
  ]
  const perThread = [16 * 2 * mostCells, 4 * (room + 1)]
  const aligned = (bytes: number) => Math.ceil(bytes / 64) * 64
  const total = [...sizes, ...Array.from({ length: threads() }, () => perThread).flat()].reduce(
    (sum, size) => sum + aligned(size),
    0,
  )
  let next = addRoom(slab, total)
  const place = (bytes: number) => {
    const at = next
    next += aligned(bytes)
    return at
  }
  const [counter, table, thresholds, gathered, intercepts, near, scales, taken, cellOf] = sizes.map(place) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const places = Array.from({ length: threads() }, () => ({
    scores: 0,
    cells: place(perThread[0]!),
    found: place(perThread[1]!),
  }))
  return {
    counter,
    table,
    thresholds,
    gathered,
    judged: 0,
    results: 0,
    recipe: 0,
    matrices: 0,
    moments: 0,
    weights: 0,
    short: 0,
    intercepts,
    near,
    scales,
    taken,
    cellOf,
    places,
  }
}

/**
 * Weights as 16-bit whole numbers for features that are bytes:  Σ wⱼ xⱼ = Σ wⱼ centreⱼ + factor · Σ wholeⱼ byteⱼ,  nearly. As large as
 * fits into 16 bits, and so that the sum of the products fits into 32.
 */
function wholeWeights(row: readonly number[], { centres, scales }: ByteScales, stride: number) {
  let largest = 0
  let sum = 0
  let shift = 0
  for (let j = 0; j < row.length; j++) {
    const size = Math.abs(row[j]! * scales[j]!)
    largest = Math.max(largest, size)
    sum += size
    shift += row[j]! * centres[j]!
  }
  const factor = Math.max(largest / 32767, (sum * 128) / 2 ** 31, Number.MIN_VALUE)
  const weights = new Int16Array(stride)
  for (let j = 0; j < row.length; j++) weights[j] = Math.trunc((row[j]! * scales[j]!) / factor)
  return { weights, factor, shift }
}

/** How near is near: a 160th of what scores are. So ranks have as many digits whether a model is steep or flat. */
function nearFor(model: LinearModel, features: FeatureRows | undefined): number {
  if (!features) return 0
  const score = scorerOf(model)
  const scores = new Float64Array(scoresPerPoint(model))
  let squares = 0
  for (let k = 0; k < 16; k++) {
    score(features, Math.floor(((k + 0.5) * features.rows) / 16), scores)
    for (const z of scores) squares += z * z
  }
  return Math.sqrt(squares / (16 * scores.length)) / 160
}

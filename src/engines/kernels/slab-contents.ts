import type { FeatureRows } from '../../core/features.ts'
import { marginBins } from '../../core/margins.ts'
import { isLinear, type LearnedModel, type LinearModel, scorerOf, scoresPerPoint } from '../../core/model.ts'
import type { QuadraticForm } from '../../core/quadratic-form.ts'
import type { TreesModel } from '../../core/trees-model.ts'
import { firstBin, type MassFormula } from './mass-formula.ts'
import { packTrees } from './packed-trees.ts'
import type { Cells } from './score-cells.ts'
import { addRoomForClasses, addRoomForForms, addRoomForTrees, chunksOf, room, type SlabRegion } from './slab-layout.ts'
import { type ByteScales, rowsOfSlabs } from './slabs.ts'
import { type FormShape, floatWidth, resultsPerChunk } from './tasks.ts'

// What an engine writes into its region of a slab for the kernels to read, and reads of what they wrote.

/** The cell of points that may not be drawn, as in src/engines/kernels/assembly/tally.ts. */
const nowhere = 0xffff

const doublesAt = ({ slab }: SlabRegion, at: number, length: number) => new Float64Array(slab.memory.buffer, at, length)
const floatsAt = ({ slab }: SlabRegion, at: number, length: number) => new Float32Array(slab.memory.buffer, at, length)
const integersAt = ({ slab }: SlabRegion, at: number, length: number) => new Int32Array(slab.memory.buffer, at, length)

/** `scales`: where features are bytes. */
export function writeModel(region: SlabRegion, model: LearnedModel, scales?: ByteScales): void {
  if (model === region.model) return
  region.model = model
  if (isLinear(model)) writeLinear(region, model, scales)
  else writeTrees(region, model)
}

function writeLinear(region: SlabRegion, model: LinearModel, scales?: ByteScales): void {
  const width = scoresPerPoint(model)
  addRoomForClasses(region, width)
  doublesAt(region, region.layout.intercepts, width).set(model.intercepts)
  if (region.slab.form.kind !== 'bytes') writeWeights(region, model)
  else if (scales) writeByteWeights(region, model, scales)
}

function writeTrees(region: SlabRegion, model: TreesModel): void {
  const packed = packTrees(model)!
  const { beside } = model
  addRoomForClasses(region, model.classes.length + (beside ? scoresPerPoint(model) : 0)) // for the scores of both
  const { roots, nodes, leaves } = addRoomForTrees(region, packed, model.classes.length, beside !== undefined)
  integersAt(region, roots, packed.roots.length).set(packed.roots)
  integersAt(region, nodes, packed.nodes.length).set(packed.nodes)
  doublesAt(region, leaves, packed.leaves.length).set(packed.leaves)
  if (!beside) return
  const weights = doublesAt(region, region.layout.weights, model.width * beside.weights.length)
  for (const [k, row] of beside.weights.entries()) weights.set(row, k * model.width)
  doublesAt(region, region.layout.intercepts, beside.intercepts.length).set(beside.intercepts)
}

function writeWeights(region: SlabRegion, model: LinearModel): void {
  const { slab, layout } = region
  const { kind, columns } = slab.form
  const width = model.weights.length
  const doubles = doublesAt(region, layout.weights, columns * width)
  const [along, apart] = kind === 'sparse' ? [width, 1] : [1, columns] // classes side by side, or one after another
  const apartFloats = floatWidth(columns)
  const floats = floatsAt(region, layout.floatWeights, apartFloats * width).fill(0)
  for (const [k, row] of model.weights.entries()) {
    for (let j = 0; j < columns; j++) doubles[j * along + k * apart] = row[j]!
    floats.set(row, k * apartFloats)
  }
  doublesAt(region, layout.near, 1)[0] = nearFor(model, rowsOfSlabs([slab])!)
}

function writeByteWeights(region: SlabRegion, model: LinearModel, scales: ByteScales): void {
  const { slab, layout } = region
  const stride = slab.form.kind === 'bytes' ? slab.form.stride : 0
  const intercepts = doublesAt(region, layout.intercepts, model.weights.length)
  const factors = doublesAt(region, layout.scales, model.weights.length)
  for (const [k, row] of model.weights.entries()) {
    const { weights, factor, shift } = wholeWeights(row, scales, stride)
    new Int16Array(slab.memory.buffer, layout.weights + 2 * k * stride, stride).set(weights)
    factors[k] = factor
    intercepts[k]! += shift
  }
}

/**
 * Weights as 16-bit whole numbers for features that are bytes:  Σ wⱼ xⱼ = Σ wⱼ centreⱼ + factor · Σ wholeⱼ byteⱼ,  nearly. As large as
 * fits into 16 bits, and so that the sum of the products fits into 32.
 */
export function wholeWeights(row: readonly number[], { centres, scales }: ByteScales, stride: number) {
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
function nearFor(model: LinearModel, features: FeatureRows): number {
  const score = scorerOf(model)
  const scores = new Float64Array(scoresPerPoint(model))
  let squares = 0
  for (let k = 0; k < 16; k++) {
    score(features, Math.floor(((k + 0.5) * features.rows) / 16), scores)
    for (const z of scores) squares += z * z
  }
  return Math.sqrt(squares / (16 * scores.length)) / 160
}

export function writeCells(region: SlabRegion, cells: Cells): void {
  if (cells === region.cells) return
  new Uint32Array(region.slab.memory.buffer, region.layout.table, cells.table.length).set(cells.table)
  region.cells = cells
}

/** By cell, in units of 2⁻³¹. */
export function writeThresholds(region: SlabRegion, thresholds: Int32Array): void {
  const all = integersAt(region, region.layout.thresholds, 2 ** 16)
  all.set(thresholds)
  all[nowhere] = 2 ** 31 - 1
}

/** A point of the slab may no longer be drawn. Whether it could be until now. */
export function takePoint(region: SlabRegion, row: number): boolean {
  const bits = integersAt(region, region.layout.taken, (region.slab.rows >> 5) + 1)
  const before = bits[row >> 5]!
  bits[row >> 5] = before | (1 << (row & 31))
  return before !== bits[row >> 5]
}

export function clearFound(region: SlabRegion): void {
  for (const { found } of region.layout.threads) integersAt(region, found, 1)[0] = 0
}

/** Rows of the slab that were found, in order, whichever thread found them; undefined if they were too many. */
export function foundRows(region: SlabRegion): Int32Array | undefined {
  const all: number[] = []
  for (const { found } of region.layout.threads) {
    const count = integersAt(region, found, 1)[0]!
    if (count > room) return undefined
    for (const row of integersAt(region, found + 4, count)) all.push(row)
  }
  return Int32Array.from(all).sort()
}

export function writeFormula(region: SlabRegion, { coefficients, byBin }: MassFormula): void {
  floatsAt(region, region.layout.formula, coefficients.length).set(coefficients)
  floatsAt(region, region.layout.formula + 4 * firstBin, byBin.length).set(byBin)
}

/** What the statistics of each chunk came to, one after another. */
export function chunkResults(region: SlabRegion): Float64Array {
  return doublesAt(region, region.layout.results, resultsPerChunk * chunksOf(region.slab))
}

/** How many points each bin of margins has, over all threads; starts to count anew. */
export function countedBins(region: SlabRegion): Float64Array {
  const counted = new Float64Array(marginBins)
  for (const { cells } of region.layout.threads) {
    const own = integersAt(region, cells, marginBins)
    for (let bin = 0; bin < marginBins; bin++) counted[bin]! += own[bin]!
    own.fill(0)
  }
  return counted
}

/** The vectors of both forms, with others of zeros so that kernels can take four at a time. */
export function writeForms(region: SlabRegion, forms: readonly QuadraticForm[]): FormShape {
  const width = forms[0]![0]!.length
  const [first, second] = forms.map(({ length }) => 4 * Math.ceil(length / 4)) as [number, number]
  addRoomForForms(region, (first + second) * width)
  const vectors = doublesAt(region, region.layout.vectors, (first + second) * width).fill(0)
  for (const [f, form] of forms.entries())
    for (const [k, vector] of form.entries()) vectors.set(vector, ((f === 0 ? 0 : first) + k) * width)
  return { width, first, second }
}

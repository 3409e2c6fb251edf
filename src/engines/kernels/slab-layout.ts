import type { LearnedModel } from '../../core/model.ts'
import { firstEdge, formulaNumbers, marginEdges, marginSlots } from './mass-formula.ts'
import type { PackedTrees } from './packed-trees.ts'
import { type Cells, mostCells } from './score-cells.ts'
import { numbersPerCell } from './score-quadrature.ts'
import { addRoom, chunkRows, type Slab } from './slabs.ts'
import { floatWidth, resultsPerChunk, type SlabLayout, statisticsBytes, type TreesPlace } from './tasks.ts'
import { threadCount } from './threads.ts'
import type { SharedMemory } from './webassembly.ts'

/** Points that one pass over a pool may single out, for each thread. */
export const room = 2 ** 16

/** An engine's own room in a slab, and what was written there last. */
export interface SlabRegion {
  readonly slab: Slab
  layout: SlabLayout
  /** How many classes there is room for. */
  classes: number
  model?: LearnedModel
  /** Where trees lie, once there were any, and how many bytes there is room for. */
  trees?: TreesPlace & { readonly bytes: number }
  /** How many numbers of forms there is room for. */
  formNumbers: number
  cells?: Cells
  /** Rooms for classes that are not in use, by their size. */
  readonly spare: Map<number, number[]>
}

/** Regions that engines have released, for others to use: memories never shrink. */
const released = new WeakMap<SharedMemory, SlabRegion[]>()

export function regionIn(slab: Slab): SlabRegion {
  const { layout, classes, formNumbers, spare } = released.get(slab.memory)?.pop() ?? {
    layout: fixedLayout(slab),
    classes: 0,
    formNumbers: 0,
    spare: new Map<number, number[]>(),
  }
  new Uint8Array(slab.memory.buffer, layout.taken, (slab.rows >> 3) + 8).fill(0)
  return { slab, layout, classes, formNumbers, spare }
}

export function release(region: SlabRegion): void {
  const { memory } = region.slab
  released.set(memory, [...(released.get(memory) ?? []), region])
}

const aligned = (bytes: number) => Math.ceil(bytes / 64) * 64

/** Everything whose size is known beforehand, one after another. */
function fixedLayout(slab: Slab): SlabLayout {
  const sizes = {
    counter: 64,
    table: 4 * 2 ** 15,
    thresholds: 4 * 2 ** 16,
    gathered: 8 * numbersPerCell * 2 * mostCells,
    intercepts: 8 * 1024,
    near: 8,
    scales: 8 * 1024,
    taken: slab.rows / 8 + 64,
    cellOf: 2 * slab.rows,
  }
  const perThread = { cells: 16 * 2 * mostCells, found: 4 * (room + 1) }
  const bytesOf = (each: Readonly<Record<string, number>>) => Object.values(each).reduce((sum, size) => sum + aligned(size), 0)
  let next = addRoom(slab, bytesOf(sizes) + threadCount() * bytesOf(perThread))
  const placed = <Names extends string>(each: Readonly<Record<Names, number>>) => {
    const places = Object.entries<number>(each).map(([name, size]) => {
      const at = next
      next += aligned(size)
      return [name, at]
    })
    return Object.fromEntries(places) as Record<Names, number>
  }
  const notYet = { weights: 0, floatWeights: 0, statistics: 0, results: 0, formula: 0, vectors: 0 }
  const threads = Array.from({ length: threadCount() }, () => ({ scores: 0, ...placed(perThread) }))
  return { ...notYet, ...placed(sizes), threads }
}

/** Makes room for the weights of so many classes, and for their scores of a chunk. */
export function addRoomForClasses(region: SlabRegion, classes: number): void {
  const { slab, layout } = region
  if (classes <= region.classes) return
  const stride = slab.form.kind === 'bytes' ? slab.form.stride : slab.form.columns
  const scores = 8 * chunkRows * classes + 64
  const doubles = 8 * stride * classes
  const both = doubles + 4 * floatWidth(stride) * classes
  const weights = addRoom(slab, both + threadCount() * scores)
  const first = aligned(weights + both)
  const threads = layout.threads.map((own, k) => ({ ...own, scores: first + k * scores }))
  region.layout = { ...layout, weights, floatWeights: weights + doubles, threads }
  region.classes = classes
}

/** Makes room for so many trees, nodes and leaves of some classes; twice as much as is needed, as the next model is larger. */
export function addRoomForTrees(
  region: SlabRegion,
  { roots, nodes, leaves, scale }: PackedTrees,
  classes: number,
  hasBeside: boolean,
): TreesPlace {
  const sizes = [roots, nodes, leaves].map(({ byteLength }) => aligned(byteLength)) as [number, number, number]
  const needed = sizes[0] + sizes[1] + sizes[2]
  const had = region.trees
  const fits = had !== undefined && needed <= had.bytes
  const bytes = fits ? had.bytes : 2 * needed
  const at = fits ? had.roots : aligned(addRoom(region.slab, bytes))
  const places = { roots: at, nodes: at + sizes[0], leaves: at + sizes[0] + sizes[1] }
  region.trees = { ...places, bytes, trees: roots.length, classes, scale, hasBeside }
  return region.trees
}

/** Makes room for the statistics of every point, if there is none yet. */
export function addRoomForStatistics(region: SlabRegion): void {
  const { slab, layout } = region
  if (layout.statistics > 0) return
  const { memory, rows } = slab
  const statistics = addRoom(slab, statisticsBytes * (rows + 3))
  const formula = addRoom(slab, 4 * formulaNumbers + marginSlots.length)
  const results = addRoom(slab, 8 * resultsPerChunk * chunksOf(slab))
  region.layout = { ...layout, statistics, formula, results }
  new Float32Array(memory.buffer, formula + 4 * firstEdge, marginEdges.length).set(marginEdges)
  new Uint8Array(memory.buffer, formula + 4 * formulaNumbers, marginSlots.length).set(marginSlots)
}

/** Makes room for so many numbers of forms. */
export function addRoomForForms(region: SlabRegion, numbers: number): void {
  if (numbers <= region.formNumbers) return
  region.layout = { ...region.layout, vectors: addRoom(region.slab, 8 * numbers) }
  region.formNumbers = numbers
}

export const chunksOf = ({ rows }: Slab) => Math.ceil(rows / chunkRows)

import { marginBins } from '../../core/margins.ts'
import { isLinear, type LearnedModel, type LinearModel, scoresPerPoint } from '../../core/model.ts'
import type { QuadraticForm } from '../../core/quadratic-form.ts'
import { type Stream, streamKey } from '../../core/randomness.ts'
import { sumOf } from '../../core/sums.ts'
import type { StatisticsTotals } from './class-statistics.ts'
import type { KernelBuild } from './kernels.ts'
import type { MassFormula } from './mass-formula.ts'
import type { Cells } from './score-cells.ts'
import { numbersPerCell } from './score-quadrature.ts'
import { type Labelling, SlabClasses } from './slab-classes.ts'
import * as contents from './slab-contents.ts'
import { addRoomForStatistics, regionIn, release, room, type SlabRegion } from './slab-layout.ts'
import { type ByteScales, chunkRows, type Slab } from './slabs.ts'
import { floatScorer, formAt, type Signing, statisticsBytes } from './tasks.ts'
import { threadsOn } from './threads.ts'
import { type JobDetails, runOn, type Workspace } from './workspace.ts'

export interface SlabPool {
  readonly slabs: readonly Slab[]
  /** Where features are bytes. */
  readonly scales?: ByteScales
}

/** What statistics are made by: a model, scores in 32 bits or in doubles, and forms, if there are any. */
interface StatisticsSource {
  readonly model: LearnedModel
  readonly areFloats: boolean
  readonly forms?: readonly QuadraticForm[] | undefined
}

/** Rows that are scored at once: enough for all threads, and their scores take no room to speak of. */
const batchRows = 32 * chunkRows

/** The passes that kernels make over a pool, slab by slab, with all threads. */
export class SlabPasses {
  readonly #pool: SlabPool
  readonly #workspaces: readonly Workspace[]
  /** The classes of models, and their comparison. */
  readonly classes: SlabClasses
  /** By what the cells were filled, and points to be withdrawn from them. */
  #tallied: { readonly model: LinearModel; readonly cells: Cells; readonly takenSince: number[] } | undefined
  /** By what statistics were made. */
  #source: StatisticsSource | undefined

  constructor(build: KernelBuild, pool: SlabPool) {
    this.#pool = pool
    this.#workspaces = pool.slabs.map((slab) => ({ slab, threads: threadsOn(build, slab.memory), region: regionIn(slab) }))
    this.classes = new SlabClasses(this.#workspaces)
  }

  /** The scores of all points, in doubles, batch by batch. */
  async *scores(model: LearnedModel): AsyncGenerator<Float64Array> {
    const width = scoresPerPoint(model)
    const room = new SharedArrayBuffer(8 * batchRows * width)
    this.#writeModel(model)
    for (const { slab, threads, region } of this.#workspaces)
      for (let start = 0; start < slab.rows; start += batchRows) {
        const rows = Math.min(batchRows, slab.rows - start)
        const part = { rows, form: formAt(slab.form, start), layout: region.layout }
        await threads.run({ ...part, ...treesIn(region), kind: 'scores', width, out: room }, featureBytes({ ...slab, rows }))
        yield new Float64Array(room, 0, rows * width)
      }
  }

  /**
   * What the cells of each slab come to, and every point's own cell is on record for `pickByCell`. Asked again for the same model, no
   * feature is looked at: points that were taken since have been withdrawn from their cells. Not so where classes are wanted as well.
   */
  async tally(model: LinearModel, cells: Cells, labelling?: Labelling): Promise<Float64Array[]> {
    this.#writeModel(model)
    const isSame = !labelling && this.#tallied?.model === model && this.#tallied.cells === cells
    if (isSame) this.#withdraw(this.#tallied!.takenSince.splice(0))
    else {
      this.#tallied = undefined
      for (const [k, workspace] of this.#workspaces.entries())
        await fillCells(workspace, cells, this.classes.signing(k, labelling))
      this.#tallied = { model, cells, takenSince: [] }
    }
    return this.#workspaces.map((workspace) => gather(workspace, cells))
  }

  /** Rows of all points whose uniform is above the threshold of their cell; undefined if they are too many. */
  pickByCell(stream: Stream, thresholds: Int32Array): Promise<number[] | undefined> {
    for (const { region } of this.#workspaces) contents.writeThresholds(region, thresholds)
    return this.#pick(stream, { kind: 'pickByCell' })
  }

  /**
   * Makes the statistics of every point from its scores of several classes; those that were made of the same are kept, unless
   * classes are wanted as well.
   */
  async makeStatistics(source: StatisticsSource, labelling?: Labelling): Promise<void> {
    const { model, areFloats, forms } = source
    const isSame = !labelling && this.#source?.model === model && this.#source.areFloats === areFloats
    if (isSame && this.#source?.forms === forms) return
    const isWithoutForms = isSame && !this.#source?.forms
    this.#source = undefined
    if (!isWithoutForms) {
      this.#writeModel(model)
      for (const { region } of this.#workspaces) addRoomForStatistics(region)
      const { doubt = 0, blocks } = labelling ?? {}
      const made = { kind: 'statistics', classes: model.classes.length, areFloats, doubt } as const
      await this.#eachSlab(({ region }, k) => ({ ...made, labels: blocks?.places[k] ?? 0, ...treesIn(region) }), featureBytes)
    }
    if (forms) {
      await this.#eachSlab(({ region }) => ({ kind: 'removeVariance', ...contents.writeForms(region, forms) }), featureBytes)
    }
    this.#source = source
  }

  /** What the statistics of points come to that are not taken. */
  async census(): Promise<StatisticsTotals> {
    this.#tallied = undefined // bins are counted where its cells are
    const counted = () => this.#workspaces.map(({ region }) => contents.countedBins(region))
    counted()
    await this.#eachSlab(
      () => ({ kind: 'census' }),
      ({ rows }) => statisticsBytes * rows,
    )
    const bins = counted()
    const margins = Float64Array.from({ length: marginBins }, (_, bin) => sumOf(bins.map((own) => own[bin]!)))
    return { margins, chunks: this.#chunks() }
  }

  /** What the chunks of each slab come to with masses of this formula. */
  async massTotals(formula: MassFormula): Promise<readonly Float64Array[]> {
    for (const { region } of this.#workspaces) contents.writeFormula(region, formula)
    await this.#eachSlab(
      () => ({ kind: 'massTotals' }),
      ({ rows }) => statisticsBytes * rows,
    )
    return this.#chunks()
  }

  /** Rows of all points whose key can be at most `limit`, with the masses of the last totals, at most `most`; undefined if they are too many. */
  pickByMass(stream: Stream, limit: number, most: number): Promise<number[] | undefined> {
    return this.#pick(stream, { kind: 'pickByMass', limit, most })
  }

  /** The mass of a point, as it is in the last totals. */
  massAt(row: number): number {
    const { slab, region, threads } = this.#workspaceOf(row)
    const { statistics, formula } = region.layout
    return threads.kernels.massAt({ statistics, row: row - slab.first, formula })
  }

  /** The score of a point for a class as `tally` has it, or statistics in 32 bits. */
  floatScorer(model: LinearModel, k = 0): (row: number) => number {
    this.#writeModel(model)
    const scorers = this.#workspaces.map((workspace) => floatScorerOn(workspace, k))
    const size = this.#pool.slabs[0]!.rows
    return (row) => scorers[Math.floor(row / size)]!(row % size)
  }

  pointsLeft(): number {
    return this.#workspaces.reduce((sum, { slab }) => sum + slab.rows, 0) - this.classes.taken
  }

  /** A point may no longer be drawn. Whether it could be until now. */
  take(row: number): boolean {
    const { slab, region } = this.#workspaceOf(row)
    const isNew = contents.takePoint(region, row - slab.first)
    if (isNew) this.#tallied?.takenSince.push(row)
    if (isNew) this.classes.take(row)
    return isNew
  }

  close(): void {
    this.classes.close()
    for (const { threads, region } of this.#workspaces) {
      threads.close()
      release(region)
    }
  }

  #workspaceOf(row: number): Workspace {
    return this.#workspaces[Math.floor(row / this.#pool.slabs[0]!.rows)]!
  }

  #writeModel(model: LearnedModel): void {
    for (const { region } of this.#workspaces) contents.writeModel(region, model, this.#pool.scales)
  }

  #chunks(): readonly Float64Array[] {
    return this.#workspaces.map(({ region }) => contents.chunkResults(region))
  }

  /** A job on every slab. `bytesOf`: what it has to read there. */
  async #eachSlab(jobOn: (workspace: Workspace, k: number) => JobDetails, bytesOf: (slab: Slab) => number): Promise<void> {
    for (const [k, workspace] of this.#workspaces.entries()) await runOn(workspace, jobOn(workspace, k), bytesOf(workspace.slab))
  }

  /** Takes points out of the cells that they are in by the model that was written last. */
  #withdraw(rows: readonly number[]): void {
    for (const row of rows) {
      const workspace = this.#workspaceOf(row)
      const at = row - workspace.slab.first
      const { layout } = workspace.region
      const { scores, cells } = layout.threads[0]!
      floatScorerOn(workspace)(at)
      workspace.threads.kernels.withdraw({ scores, table: layout.table, cells, out: layout.cellOf + 2 * at })
    }
  }

  async #pick(
    stream: Stream,
    how: { kind: 'pickByCell' } | { kind: 'pickByMass'; limit: number; most: number },
  ): Promise<number[] | undefined> {
    const { low: keyLow, high: keyHigh } = streamKey(stream)
    const all: number[] = []
    for (const workspace of this.#workspaces) {
      const { slab, region } = workspace
      contents.clearFound(region)
      await runOn(workspace, { ...how, hashes: slab.hashes, keyLow, keyHigh, room }, 10 * slab.rows)
      const found = contents.foundRows(region)
      if (!found) return undefined
      for (const row of found) all.push(slab.first + row)
    }
    return all
  }
}

/** The trees that were written last, if that is what scores are made by. */
const treesIn = ({ model, trees }: SlabRegion) => (model && !isLinear(model) && trees ? { trees } : {})

function floatScorerOn({ slab, threads, region }: Workspace, k?: number): (row: number) => number {
  return floatScorer(threads.kernels, slab.memory.buffer, { form: slab.form, layout: region.layout }, k)
}

/** Every score goes to its cell, and all cells to those of the first thread. */
async function fillCells(workspace: Workspace, cells: Cells, signing: Signing): Promise<void> {
  const { slab, region, threads } = workspace
  const { kernels } = threads
  const count = 2 * cells.count
  contents.writeCells(region, cells)
  for (const own of region.layout.threads) kernels.clear({ cells: own.cells, count })
  await runOn(workspace, { kind: 'tally', ...signing }, featureBytes(slab))
  const [own, ...others] = region.layout.threads
  for (const other of others) kernels.merge({ into: own!.cells, from: other.cells, count })
}

function gather({ slab, region, threads }: Workspace, cells: Cells): Float64Array {
  const { gathered, threads: own } = region.layout
  const occupied = threads.kernels.gather({ cells: own[0]!.cells, count: 2 * cells.count, out: gathered })
  return new Float64Array(slab.memory.buffer, gathered, numbersPerCell * occupied)
}

function featureBytes({ rows, form }: Slab): number {
  return rows * (form.kind === 'floats' ? 4 * form.columns : form.kind === 'bytes' ? form.stride : 512)
}

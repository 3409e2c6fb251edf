import { marginBins } from '../../core/margins.ts'
import { type LinearModel, scoresPerPoint } from '../../core/model.ts'
import { type Stream, streamKey } from '../../core/randomness.ts'
import { sumOf } from '../../core/sums.ts'
import type { Judged, MassFormula } from './class-statistics.ts'
import type { KernelBuild } from './kernels.ts'
import type { Cells } from './score-cells.ts'
import { numbersPerCell } from './score-quadrature.ts'
import { type Place, placeIn, room } from './slab-layout.ts'
import type { ByteScales, Slab } from './slabs.ts'
import { bytesJudged, shortScorer } from './tasks.ts'
import { benchFor, type ThreadPool } from './threads.ts'

/** A pool in slabs. */
export interface Loaded {
  readonly slabs: readonly Slab[]
  /** Where features are bytes. */
  readonly scales?: ByteScales
}

/** The passes that kernels make over a pool, slab by slab, with all threads. */
export interface Stations {
  /** The scores of all points, in doubles. */
  scores(model: LinearModel): Promise<Float64Array>
  /**
   * What the cells of each slab come to, and every point's own cell is on record for `pick`. Asked again for the same model, no feature is
   * looked at: points that were taken since have been taken out of their cells.
   */
  tally(model: LinearModel, cells: Cells): Promise<Float64Array[]>
  /** Rows of all points whose uniform is above the threshold of their cell; undefined if they are too many. */
  pick(stream: Stream, thresholds: Int32Array): Promise<number[] | undefined>
  /**
   * Judges every point by its scores of several classes, in 32 bits or in doubles, and by quadratic forms, if there are any; what was judged by the same model is not looked
   * at again.
   */
  judge(model: LinearModel, how: { readonly isShort: boolean; readonly forms?: readonly Float64Array[] }): Promise<void>
  /** What the judged points come to that are not taken. */
  census(): Promise<Judged>
  /** What the chunks of each slab come to with masses that are made so. */
  weigh(recipe: MassFormula): Promise<readonly Float64Array[]>
  /** Rows of all points whose key can be at most `limit`, with the masses of the last weighing; undefined if they are too many. */
  pickWeighed(stream: Stream, limit: number, most: number): Promise<number[] | undefined>
  /** The mass of a point as it was weighed. */
  massAt(row: number): number
  /** Σ v xxᵀ over the judged points that are not taken, where v is a mass that is made so; x ends in a 1. */
  moment(recipe: MassFormula): Promise<Float64Array>
  /** The score of a point for a class as `tally` has it, or `judge` in 32 bits. */
  shortScorer(model: LinearModel, k?: number): (row: number) => number
  /** A point may no longer be drawn. */
  take(row: number): void
  close(): void
}

/** One slab with all that it takes to work on it. */
interface Station {
  readonly slab: Slab
  readonly bench: ThreadPool
  readonly place: Place
}

export function stationsOn(build: KernelBuild, { slabs, scales }: Loaded): Stations {
  const stations = slabs.map((slab): Station => ({ slab, bench: benchFor(build, slab), place: placeIn(slab) }))
  const points = slabs.reduce((sum, { rows }) => sum + rows, 0)
  const stationOf = (row: number) => stations[Math.floor(row / slabs[0]!.rows)]!
  const writeModel = (model: LinearModel) => {
    for (const { place } of stations) place.writeModel(model, scales)
  }

  let tallied: { readonly model: LinearModel; readonly cells: Cells; readonly takenSince: number[] } | undefined
  let judged: { readonly model: LinearModel; readonly isShort: boolean; readonly forms?: readonly Float64Array[] } | undefined

  /** Every score goes to its cell, and all cells to those of the first thread. */
  async function fillCells({ slab, place, bench }: Station, cells: Cells): Promise<void> {
    const { kernels } = bench
    place.writeCells(cells)
    const count = 2 * cells.count
    for (const own of place.desk.places) kernels.clear(own.cells, count)
    await bench.run({ kind: 'tally', rows: slab.rows, form: slab.form, desk: place.desk }, bytesOf(slab))
    const [own, ...others] = place.desk.places
    for (const other of others) kernels.merge(own!.cells, other.cells, count)
  }

  function gather({ slab, place, bench }: Station, cells: Cells): Float64Array {
    const { gathered, places } = place.desk
    const occupied = bench.kernels.gather(places[0]!.cells, 2 * cells.count, gathered)
    return new Float64Array(slab.memory.buffer, gathered, numbersPerCell * occupied)
  }

  /** Takes points out of the cells that they are in by the model on the desk. */
  function withdraw(rows: readonly number[]): void {
    for (const row of rows) {
      const { slab, place, bench } = stationOf(row)
      const { desk } = place
      const own = desk.places[0]!
      shortScorer(bench.kernels, slab.memory.buffer, { form: slab.form, desk })(row - slab.first)
      bench.kernels.withdraw(own.scores, desk.table, own.cells, desk.cellOf + 2 * (row - slab.first))
    }
  }

  /** Rows that are found in all slabs; undefined if they are too many. */
  async function pick(
    stream: Stream,
    how: { kind: 'pick' } | { kind: 'pickWeighed'; limit: number; most: number },
  ): Promise<number[] | undefined> {
    const { low: keyLow, high: keyHigh } = streamKey(stream)
    const all: number[] = []
    for (const { slab, place, bench } of stations) {
      place.clearFound()
      const { rows, form, hashes } = slab
      await bench.run({ ...how, rows, form, desk: place.desk, hashes, keyLow, keyHigh, room }, 10 * rows)
      const found = place.found()
      if (!found) return undefined
      for (const row of found) all.push(slab.first + row)
    }
    return all
  }

  async function eachJudged(kind: 'census' | 'weigh' | 'removeVariance' | 'moment'): Promise<void> {
    for (const { slab, place, bench } of stations) {
      const { rows, form } = slab
      const isWide = kind === 'removeVariance' || kind === 'moment'
      await bench.run({ kind, rows, form, desk: place.desk }, isWide ? bytesOf(slab) : bytesJudged * rows)
    }
  }

  async function judgeAll(model: LinearModel, isShort: boolean): Promise<void> {
    writeModel(model)
    for (const { slab, place, bench } of stations) {
      place.prepareToJudge()
      const { rows, form } = slab
      const classes = model.weights.length
      await bench.run({ kind: 'judge', rows, form, desk: place.desk, classes, isShort }, bytesOf(slab))
    }
  }

  const chunks = () => stations.map(({ place }) => place.results())

  return {
    async scores(model) {
      const width = scoresPerPoint(model)
      const out = new SharedArrayBuffer(8 * points * width)
      writeModel(model)
      for (const { slab, place, bench } of stations) {
        const { first, rows, form } = slab
        await bench.run({ kind: 'scores', rows, form, desk: place.desk, first, width, out }, bytesOf(slab))
      }
      return new Float64Array(out)
    },
    async tally(model, cells) {
      writeModel(model)
      if (tallied?.model === model && tallied.cells === cells) withdraw(tallied.takenSince.splice(0))
      else {
        tallied = undefined
        for (const station of stations) await fillCells(station, cells)
        tallied = { model, cells, takenSince: [] }
      }
      return stations.map((station) => gather(station, cells))
    },
    pick(stream, thresholds) {
      for (const { place } of stations) place.writeThresholds(thresholds)
      return pick(stream, { kind: 'pick' })
    },
    async judge(model, { isShort, forms }) {
      const isKnown = judged?.model === model && judged.isShort === isShort
      if (isKnown && judged?.forms === forms) return
      const isBare = isKnown && !judged?.forms
      judged = undefined
      if (!isBare) await judgeAll(model, isShort)
      if (forms) {
        for (const { place } of stations) {
          place.prepareForms()
          place.writeForms(forms)
        }
        await eachJudged('removeVariance')
      }
      judged = { model, isShort, ...(forms && { forms }) }
    },
    async census() {
      tallied = undefined // bins are counted where its cells are
      for (const { place } of stations) place.binsCounted()
      await eachJudged('census')
      const bins = stations.map(({ place }) => place.binsCounted())
      return {
        margins: Float64Array.from({ length: marginBins }, (_, bin) => sumOf(bins.map((own) => own[bin]!))),
        chunks: chunks(),
      }
    },
    async weigh(recipe) {
      for (const { place } of stations) place.writeRecipe(recipe)
      await eachJudged('weigh')
      return chunks()
    },
    pickWeighed: (stream, limit, most) => pick(stream, { kind: 'pickWeighed', limit, most }),
    massAt(row) {
      const { slab, place, bench } = stationOf(row)
      return bench.kernels.massAt(place.desk.judged, row - slab.first, place.desk.recipe)
    },
    async moment(recipe) {
      for (const { place } of stations) {
        place.prepareForms()
        place.writeRecipe(recipe)
        place.clearMoment()
      }
      await eachJudged('moment')
      const [sum, ...others] = stations.map(({ place }) => place.moment())
      for (const other of others) for (let k = 0; k < other.length; k++) sum![k]! += other[k]!
      return sum!
    },
    shortScorer(model, k = 0) {
      writeModel(model)
      const own = stations.map(({ slab, bench, place }) =>
        shortScorer(bench.kernels, slab.memory.buffer, { form: slab.form, desk: place.desk }, k),
      )
      const size = slabs[0]!.rows
      return (row) => own[Math.floor(row / size)]!(row % size)
    },
    take(row) {
      const { slab, place } = stationOf(row)
      if (place.take(row - slab.first)) tallied?.takenSince.push(row)
    },
    close() {
      for (const { bench, place } of stations) {
        bench.close()
        place.leave()
      }
    },
  }
}

function bytesOf({ rows, form }: Slab): number {
  return rows * (form.kind === 'floats' ? 4 * form.columns : form.kind === 'bytes' ? form.stride : 512)
}

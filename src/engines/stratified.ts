import { requireInput } from '../core/errors.ts'
import type { Model } from '../core/model.ts'
import { hashIds, type PointHashes } from '../core/randomness.ts'
import type { Signal } from '../core/signal.ts'
import type { StratifiedPool, Stratify } from '../core/strata.ts'
import { drawByStrata } from './draw-strata.ts'
import type { Engine } from './engine.ts'
import { type IdIndex, idIndex, rowsOf } from './id-index.ts'
import { rowReader, type ScoreBatches } from './row-beliefs.ts'
import { type RowStrata, RowStrataBuilder } from './row-strata.ts'

/** Rows in memory whose strata can be found, and which of them were taken, by any subject of the same rows. */
export interface StratifiableRows {
  readonly ids: readonly string[]
  readonly hashes: PointHashes
  readonly index: IdIndex
  /** Rows that may no longer be drawn. Grows. */
  readonly takenRows: readonly number[]
  take(ids: readonly string[]): Promise<void>
  /** The strata of all rows. Asked for once, when they are needed. */
  strata(): Promise<RowStrata>
}

/** The reference: strata in memory, in plain JavaScript. */
export function stratifiedRows({ ids, hashes, index, takenRows, take, strata }: StratifiableRows): StratifiedPool {
  let known: Promise<RowStrata> | undefined
  let seen = 0 // of the rows that were taken
  async function upToDate(signal?: Signal): Promise<RowStrata> {
    signal?.throwIfAborted()
    known ??= strata()
    const own = await known.catch((error) => {
      known = undefined // the next call tries again
      throw error
    })
    while (seen < takenRows.length) own.take(takenRows[seen++]!)
    return own
  }

  return {
    size: ids.length,
    counts: async (signal) => (await upToDate(signal)).counts(),
    async draw(request, signal) {
      const own = await upToDate(signal)
      return drawByStrata(request, own.counts(), async (thresholds) =>
        own.rowsAbove(thresholds, request.stream, hashes).map((row) => ({ id: ids[row]!, code: own.codeOf(row) })),
      )
    },
    async codesOf(wanted, signal) {
      const own = await upToDate(signal)
      return Float64Array.from(rowsOf(index, wanted), (row) => own.codeOf(row))
    },
    take,
  }
}

/** The strata of rows, read off scores that come batch by batch; what is kept of a row is its stratum. */
export async function strataFrom(batches: ScoreBatches, rows: number, width: number, stratify: Stratify): Promise<RowStrata> {
  const builder = new RowStrataBuilder(rows)
  for await (const scores of batches) {
    const scoresAt = rowReader(scores, width)
    for (let i = 0; i < scores.length / width; i++) builder.add(stratify.code(scoresAt(i)))
  }
  return builder.strata()
}

/** The same pool for the same model and strata, as long as no others come. */
export function keepLatest(make: Engine['stratified']): Engine['stratified'] {
  let latest: { readonly model: Model; readonly stratify: Stratify; readonly pool: StratifiedPool } | undefined
  return (model, stratify) => {
    if (latest?.model.id !== model.id || latest.stratify !== stratify) latest = { model, stratify, pool: make(model, stratify) }
    return latest.pool
  }
}

/** Points whose strata are known: `codes` has that of each, or tells them when they are needed. */
export interface CodedPoints {
  readonly ids: readonly string[]
  readonly codes: Float64Array | (() => Promise<Float64Array>)
  /** Hashes of the ids, and where to find them, if the caller has these already. */
  readonly hashes?: PointHashes
  readonly index?: IdIndex
}

export function stratifiedMemory({
  ids,
  codes,
  hashes = hashIds(ids),
  index = idIndex(ids, hashes),
}: CodedPoints): StratifiedPool {
  requireInput(index.repeated === 0, `pool: ids must be unique, got ${index.repeated} repeated`)
  const strata =
    codes instanceof Float64Array ? always(rowStrataOf(codes, ids.length)) : async () => rowStrataOf(await codes(), ids.length)
  const takenRows: number[] = []
  const take = async (wanted: readonly string[]) => {
    for (const row of rowsOf(index, wanted)) takenRows.push(row) // strata know which are new
  }
  return stratifiedRows({ ids, hashes, index, takenRows, take, strata })
}

const always =
  <T>(value: T) =>
  async () =>
    value

function rowStrataOf(codes: Float64Array, points: number): RowStrata {
  requireInput(codes.length === points, `strata: a code for each of ${points} points is required, got ${codes.length}`)
  const builder = new RowStrataBuilder(points)
  for (const code of codes) builder.add(code)
  return builder.strata()
}

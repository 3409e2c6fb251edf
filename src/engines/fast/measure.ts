import { dense } from '../../core/features.ts'
import { linearModel } from '../../core/model.ts'
import { cellsFor, chances } from './cells.ts'
import { benchFor } from './crew.ts'
import { placeIn } from './desk.ts'
import { kernelBuild } from './kernels.ts'
import { floatSlabs } from './slabs.ts'

/** Bytes a second that all threads together read, and that they score and tally: 64 features a row. The best of a few tries. */
export interface Rates {
  readonly read: number
  readonly score: number
  /** Bytes read in a second of processor time, whoever else is at work. */
  readonly readByProcessor: number
}

const columns = 64
const rows = 2 ** 19 // 128 MB: more than most caches hold

/** Undefined where there are no kernels. */
export async function measureRates(tries = 5): Promise<Rates | undefined> {
  const none = new Int32Array(rows)
  // A few thousand points, over and over: scores of all sizes.
  const values = Float32Array.from({ length: 2 ** 18 }, (_, k) => ((k * 7919) % 1021) / 510.5 - 1)
  const features = new Float32Array(rows * columns)
  for (let at = 0; at < features.length; at += values.length) features.set(values, at)
  const [slab] = floatSlabs(dense(features, columns), { low: none, high: none }) ?? []
  if (!kernelBuild || slab?.form.kind !== 'floats') return undefined
  const { form } = slab
  const bench = benchFor(kernelBuild, slab)
  const place = placeIn(slab)
  const weights = [new Array<number>(columns).fill(0.3)]
  place.writeModel(linearModel({ loss: 'none', classes: ['no', 'yes'], weights, intercepts: [0] }))
  place.writeCells(cellsFor(chances))
  const bytesPerRow = 4 * columns
  const job = { rows, form, desk: place.desk }
  const best = { read: 0, score: 0, readByProcessor: 0 }
  for (let k = 0; k < tries; k++) {
    const before = process.cpuUsage()
    best.read = Math.max(best.read, await rate({ ...job, kind: 'read', at: form.features, bytesPerRow }))
    const { user, system } = process.cpuUsage(before)
    best.readByProcessor = Math.max(best.readByProcessor, (1e6 * rows * bytesPerRow) / (user + system))
    best.score = Math.max(best.score, await rate({ ...job, kind: 'tally' }))
  }
  bench.close()
  return best

  async function rate(wanted: Parameters<typeof bench.run>[0]): Promise<number> {
    const start = performance.now()
    await bench.run(wanted, rows * bytesPerRow)
    return (1000 * rows * bytesPerRow) / (performance.now() - start)
  }
}

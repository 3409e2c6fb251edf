import { requireInput } from '../../core/errors.ts'
import { dense } from '../../core/features.ts'
import { linearModel } from '../../core/model.ts'
import { type KernelBuild, kernelBuild } from './kernels.ts'
import { cellsFor, chances } from './score-cells.ts'
import { writeCells, writeModel } from './slab-contents.ts'
import { regionIn, release } from './slab-layout.ts'
import { floatSlabs, type Slab } from './slabs.ts'
import type { Job } from './tasks.ts'
import { allThreads, threadsOn } from './threads.ts'

/** Bytes a second that all threads together read, and that they score and tally: 64 features a row. The best of a few tries. */
export interface Rates {
  readonly read: number
  readonly score: number
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
  if (!kernelBuild || !slab) return undefined
  await allThreads()
  const measuring = measuringOn(kernelBuild, slab)
  const best = { read: 0, score: 0 }
  for (let k = 0; k < tries; k++) {
    best.read = Math.max(best.read, await measuring.read())
    best.score = Math.max(best.score, await measuring.score())
  }
  measuring.close()
  return best
}

/** Bytes a second, one try after another. */
export interface Measuring {
  /** Reads all features of a slab. */
  read(): Promise<number>
  /** Scores them too, and tallies. */
  score(): Promise<number>
  close(): void
}

export function measuringOn(build: KernelBuild, slab: Slab): Measuring {
  const { rows, form } = slab
  requireInput(form.kind !== 'sparse', 'measuring: dense features are required, got sparse ones')
  const bytesPerRow = form.kind === 'floats' ? 4 * form.columns : form.stride
  const threads = threadsOn(build, slab.memory)
  const region = regionIn(slab)
  const weights = [new Array<number>(form.columns).fill(0.3)]
  writeModel(region, linearModel({ loss: 'none', classes: ['no', 'yes'], weights, intercepts: [0] }))
  writeCells(region, cellsFor(chances))
  const rate = async (kind: 'read' | 'tally') => {
    const job = { kind, signs: 0, unsure: 0, doubt: 0, rows, form, layout: region.layout, at: form.features, bytesPerRow } as Job
    const start = performance.now()
    await threads.run(job, rows * bytesPerRow)
    return (1000 * rows * bytesPerRow) / (performance.now() - start)
  }
  return {
    read: () => rate('read'),
    score: () => rate('tally'),
    close() {
      threads.close()
      release(region)
    },
  }
}

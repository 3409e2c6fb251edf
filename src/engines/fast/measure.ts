import { dense } from '../../core/features.ts'
import { kernelBuild, kernelsOn } from './kernels.ts'
import { floatSlabs } from './slabs.ts'

/** Bytes a second that one thread reads, and that it scores: 64 features a row. The best of a few tries. */
export interface Rates {
  readonly read: number
  readonly score: number
}

const columns = 64
const rows = 2 ** 18 // 64 MB: more than caches hold

/** Undefined where there are no kernels. */
export function measureRates(tries = 5): Rates | undefined {
  const none = new Int32Array(rows)
  const [slab] = floatSlabs(dense(new Float32Array(rows * columns), columns), { low: none, high: none }) ?? []
  if (!kernelBuild || slab?.form.kind !== 'floats') return undefined
  const kernels = kernelsOn(kernelBuild.module, slab.memory)
  const { form } = slab
  const bytes = 4 * rows * columns
  const rate = (work: () => void) => {
    let best = 0
    for (let k = 0; k < tries; k++) {
      const start = performance.now()
      work()
      best = Math.max(best, (1000 * bytes) / (performance.now() - start))
    }
    return best
  }
  const chunk = 1024 // its scores go where the hashes are
  return {
    read: rate(() => kernels.readAll(form.features, bytes)),
    score: rate(() => {
      for (let k = 0; k < rows; k += chunk)
        kernels.scoreDense(form.features + 4 * k * columns, chunk, columns, 0, 0, 1, slab.hashes)
    }),
  }
}

import type { Loading } from '../../projects/pools/pool-data.ts'
import { progressBar } from './progress.ts'

/** Reads a pool under a bar that says how far it is, unless nobody wants to see one. */
export async function underReadingBar<T>(
  { isSilent = false, signal }: { readonly isSilent?: boolean | undefined; readonly signal?: AbortSignal | undefined },
  read: (loading: Loading) => Promise<T>,
): Promise<T> {
  const bar = isSilent ? undefined : progressBar({ label: 'reading', total: 100 }) // per cent
  try {
    return await read({ progress: (share, step) => bar?.update(100 * share, step), ...(signal && { signal }) })
  } finally {
    bar?.stop()
  }
}

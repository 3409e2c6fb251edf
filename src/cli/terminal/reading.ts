import type { Loading } from '../../projects/pools/pool-data.ts'
import { underBar } from './progress.ts'

/** Reads a pool under a bar that says how far it is. */
export function underReadingBar<T>(
  { isSilent, signal }: { readonly isSilent?: boolean | undefined; readonly signal?: AbortSignal | undefined },
  read: (loading: Loading) => Promise<T>,
): Promise<T> {
  return underBar('reading', (progress) => read({ progress, ...(signal && { signal }) }), { isSilent })
}

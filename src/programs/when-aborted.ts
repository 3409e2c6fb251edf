import type { Signal } from '../core/signal.ts'

/** Acts when a signal fires, and hands back what stops the listening. A signal without events can only be looked at. */
export function whenAborted(signal: Signal | undefined, act: (reason: unknown) => void): () => void {
  if (!(signal instanceof AbortSignal)) return () => {}
  const listener = () => act(signal.reason)
  signal.addEventListener('abort', listener)
  return () => signal.removeEventListener('abort', listener)
}

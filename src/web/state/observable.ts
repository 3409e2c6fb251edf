import { useSyncExternalStore } from 'react'

/** A value of the whole page, outside of any component. */
export function observable<Value>(first: Value) {
  const watchers = new Set<() => void>()
  let value = first
  const now = () => value

  /** Calls `watcher` after every change; returns how to stop that. */
  function watch(watcher: () => void): () => void {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  }

  /** Tells no watcher: what is shown stays until the next `set`. */
  function setSilently(next: Value): void {
    value = next
  }

  function set(next: Value): void {
    value = next
    for (const watcher of watchers) watcher()
  }

  /** The value now; a component that uses it follows every change. */
  const use = () => useSyncExternalStore(watch, now)

  return { now, watch, set, setSilently, use }
}

import { useSyncExternalStore } from 'react'

/** A value of the whole page, outside of any component. */
export interface Observable<Value> {
  readonly now: () => Value
  readonly set: (next: Value) => void
  /** Sets the value and tells no watcher: what is shown stays until the next `set`. */
  readonly setSilently: (next: Value) => void
  /** Calls `watcher` after every change; returns how to stop that. */
  readonly watch: (watcher: () => void) => () => void
  /** The value now; a component that uses it follows every change. */
  readonly use: () => Value
}

export function observable<Value>(first: Value): Observable<Value> {
  const watchers = new Set<() => void>()
  let value = first
  const now = () => value
  const setSilently = (next: Value) => {
    value = next
  }
  const watch = (watcher: () => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  }
  return {
    now,
    setSilently,
    watch,
    set(next) {
      value = next
      for (const watcher of watchers) watcher()
    },
    use: () => useSyncExternalStore(watch, now),
  }
}

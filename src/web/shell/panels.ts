import { useSyncExternalStore } from 'react'

export type PanelName = 'keys' | 'guidelines'

let open: PanelName | undefined
const watchers = new Set<() => void>()

/** Which panel is open: one at most. */
export function usePanel(): PanelName | undefined {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => open,
  )
}

/** Opens a panel, or closes it where it is open already. */
export function togglePanel(name: PanelName): void {
  showPanel(open === name ? undefined : name)
}

export function showPanel(name: PanelName | undefined): void {
  open = name
  for (const watcher of watchers) watcher()
}

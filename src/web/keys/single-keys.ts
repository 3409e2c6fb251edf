import { useSyncExternalStore } from 'react'

const name = 'alis:single-keys'
const watchers = new Set<() => void>()
let isOn = stored() !== 'off'

/** Whether single keys act. Must be switchable, for those who speak to their computer (WCAG 2.1.4). */
export function useSingleKeys(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => isOn,
  )
}

export function switchSingleKeys(next: boolean): void {
  isOn = next
  try {
    localStorage.setItem(name, next ? 'on' : 'off')
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  for (const watcher of watchers) watcher()
}

function stored(): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

import { observable } from '../state/observable.ts'

type PanelName = 'keys' | 'guidelines' | 'how' | 'name'

const open = observable<PanelName | undefined>(undefined)

/** Which panel is open: one at most. */
export const usePanel = open.use

/** Opens a panel, or closes it where it is open already. */
export function togglePanel(name: PanelName): void {
  open.set(open.now() === name ? undefined : name)
}

export function closePanel(): void {
  open.set(undefined)
}

import { observable } from '../state/observable.ts'
import { stored } from '../state/storage.ts'

const kept = stored('local', 'alis:single-keys')
const areOn = observable(kept.read() !== 'off')

/** Whether single keys act. Must be switchable, for those who speak to their computer (WCAG 2.1.4). */
export const useSingleKeys = areOn.use

export function switchSingleKeys(next: boolean): void {
  kept.write(next ? 'on' : 'off')
  areOn.set(next)
}

import { stored } from '../state/storage.ts'
import type { Memory } from './round.ts'

const kept = stored('session', 'alis:round')

interface Kept {
  project: string
  round: number
  memory: Memory
}

/** Keeps this tab's own order of the open round through a reload. Of one round only: a closed one is of no use. */
export function remember(project: string, round: number, memory: Memory): void {
  kept.write(JSON.stringify({ project, round, memory } satisfies Kept))
}

/** Nothing where there is no storage: then a reload shows draw order again, and no answer is lost. */
export function recall(project: string, round: number): Memory | undefined {
  try {
    const found = JSON.parse(kept.read() ?? 'null') as Kept | null
    return found?.project === project && found.round === round ? found.memory : undefined
  } catch {
    return undefined
  }
}

import type { Memory } from './round.ts'

const name = 'alis:round'

interface Kept {
  project: string
  round: number
  memory: Memory
}

/** Keeps this tab's own order of the open round through a reload. Of one round only: a closed one is of no use. */
export function remember(project: string, round: number, memory: Memory): void {
  try {
    sessionStorage.setItem(name, JSON.stringify({ project, round, memory } satisfies Kept))
  } catch {
    // Without storage a reload shows draw order again: nothing is lost.
  }
}

export function recall(project: string, round: number): Memory | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(name) ?? 'null') as Kept | null
    return kept?.project === project && kept.round === round ? kept.memory : undefined
  } catch {
    return undefined
  }
}

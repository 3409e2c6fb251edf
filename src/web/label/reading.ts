import { answers } from '../api/answers.ts'
import { api } from '../api/client.ts'
import { page } from '../api/page.ts'
import type { Entry } from '../api/queue.ts'
import { stored } from '../state/storage.ts'
import { type Memory, openedRound, type PageRound } from './round.ts'

/** What became known while a round was on its way, for each that is. */
const readings = new Set<Entry[]>()

/** The open round with all that is known here. Its text may be older than an answer given while it was on its way. */
export async function readRound(project: string): Promise<PageRound> {
  const since = [...answers.unsent()]
  readings.add(since)
  try {
    const open = await api.round(page)
    return openedRound(open, since, recall(project, open.round))
  } finally {
    readings.delete(since)
  }
}

/** Tells what has just been answered, here or elsewhere, or (without a label) taken back. */
export function note(entry: Entry): void {
  for (const since of readings) since.push(entry)
}

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
function recall(project: string, round: number): Memory | undefined {
  try {
    const found = JSON.parse(kept.read() ?? 'null') as Kept | null
    return found?.project === project && found.round === round ? found.memory : undefined
  } catch {
    return undefined
  }
}

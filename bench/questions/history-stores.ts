import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStore } from '../../src/stores/memory.ts'
import { createProject, openProject } from '../../src/stores/sqlite.ts'
import { type HistoryOutcome, type HistoryStore, runHistory } from './history.ts'

/** The history of a seed, one in ten of them on disk. */
export function historyOf(seed: number): Promise<HistoryOutcome> {
  return seed % 10 === 0 ? withHistoryProject((store) => runHistory(seed, store)) : runHistory(seed, historyInMemory())
}

function historyInMemory(): HistoryStore {
  const store = memoryStore()
  return { current: () => store, reopen: async () => {} }
}

/** In a project of its own, which is gone afterwards. */
async function withHistoryProject<T>(action: (store: HistoryStore) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'alis-history-'))
  const path = join(folder, 'history.alis')
  let project = await createProject(path)
  try {
    return await action({
      current: () => project,
      async reopen() {
        await project.close()
        project = await openProject(path)
      },
    })
  } finally {
    await project.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

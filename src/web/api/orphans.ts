import type { Entry, Queue } from './queue.ts'
import { readEntries } from './queue.ts'

interface Parts {
  readonly storage: Storage
  readonly locks: LockManager
  /** Begins the names of the queues of this project; the name of a page follows. */
  readonly prefix: string
  readonly page: string
  readonly onAdopt: (entries: readonly Entry[]) => void
}

/**
 * Takes over what pages that are gone left unsent. Every page holds a lock for as long as it lives, and waits for the
 * locks of the others it finds: to be given one means that its page is gone, and that no other tab was faster.
 */
export function adoptOrphans({ storage, locks, prefix, page, onAdopt }: Parts, queue: Queue): () => void {
  const end = new AbortController()
  const awaited = new Set([page])
  void locks.request(lockOf(page), { signal: end.signal }, () => untilAborted(end.signal)).catch(ignoreAbort)

  function awaitOthers() {
    for (const other of pagesIn(storage, prefix)) {
      if (awaited.has(other)) continue
      awaited.add(other)
      void locks.request(lockOf(other), { signal: end.signal }, () => adopt(other)).catch(ignoreAbort)
    }
  }

  function adopt(other: string) {
    const entries = readEntries(storage, prefix + other)
    awaited.delete(other)
    if (entries.length === 0) return
    queue.adopt(entries) // on disk under our name first: between the two lines they are there twice, never not at all
    storage.removeItem(prefix + other)
    onAdopt(entries)
  }

  awaitOthers()
  addEventListener('storage', awaitOthers)
  return () => {
    removeEventListener('storage', awaitOthers)
    end.abort()
  }
}

const lockOf = (page: string) => `alis:page:${page}`

function pagesIn(storage: Storage, prefix: string): string[] {
  const names = Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? '')
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
}

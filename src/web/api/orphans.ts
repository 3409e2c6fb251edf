import { type Entry, type Queue, readEntries } from './queue.ts'

interface Parts {
  readonly storage: Pick<Storage, 'getItem' | 'removeItem' | 'key' | 'length'>
  readonly locks: LockManager
  /** Begins the names of the queues of this project; the name of a page follows. */
  readonly prefix: string
  readonly page: string
  /** Calls back when another page has written to storage; returns how to stop that. */
  readonly onStorage: (written: () => void) => () => void
  readonly onAdopt: (entries: readonly Entry[]) => void
}

/**
 * Takes over what pages that are gone left unsent. Every page holds a lock for as long as it lives, and waits for the
 * locks of the others it finds: to be given one means that its page is gone, and that no other tab was faster.
 */
export function adoptOrphans(
  { storage, locks, prefix, page, onStorage, onAdopt }: Parts,
  queue: Pick<Queue, 'adopt'>,
): () => void {
  const end = new AbortController()
  const awaited = new Set([page])
  void locks.request(prefix + page, { signal: end.signal }, () => untilAborted(end.signal)).catch(ignoreAbort)

  function awaitOthers() {
    for (const other of pagesIn(storage, prefix)) {
      if (awaited.has(other)) continue
      awaited.add(other)
      void locks.request(prefix + other, { signal: end.signal }, () => adopt(other)).catch(ignoreAbort)
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
  const stop = onStorage(awaitOthers)
  return () => {
    stop()
    end.abort()
  }
}

function pagesIn(storage: Parts['storage'], prefix: string): string[] {
  const names = Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? '')
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
}

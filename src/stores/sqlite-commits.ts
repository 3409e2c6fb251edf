import type { Database } from 'better-sqlite3'

interface Waiting {
  readonly work: () => void
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/**
 * Commits in groups. Whatever is asked for while the last commit was on its way to the disk shares the next one, so fifty
 * answers that come at once wait for one fsync, not for fifty. Each piece of work is done whole or not at all; one that
 * fails takes no other with it; no promise resolves before the group is on disk.
 */
export function commitsTo(sqlite: Database) {
  let waiting: Waiting[] = []
  const whole = sqlite.transaction((work: () => void) => work())

  function flush(): void {
    const group = waiting
    waiting = []
    if (group.length === 0) return
    try {
      const done = sqlite.transaction(() => group.filter(succeeds)).immediate()
      for (const { resolve } of done) resolve()
    } catch (error) {
      for (const { reject } of group) reject(error) // those refused before are not touched by a second refusal
    }
  }

  /** A transaction inside one is a savepoint: undone alone. But an error that ended the outer one ends the whole group. */
  function succeeds({ work, reject }: Waiting): boolean {
    try {
      whole(work)
      return true
    } catch (error) {
      if (!sqlite.inTransaction) throw error
      reject(error)
      return false
    }
  }

  return {
    commit: (work: () => void): Promise<void> =>
      new Promise((resolve, reject) => {
        waiting.push({ work, resolve, reject })
        if (waiting.length === 1) setImmediate(flush)
      }),
    flush,
  }
}

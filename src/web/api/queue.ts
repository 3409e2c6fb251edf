import type { Label } from '../../protocol/points.ts'
import type { Saved } from '../../protocol/rounds.ts'
import { Failure } from './client.ts'

/** An answer given, or (without a label) taken back. */
export interface Entry {
  readonly round: number
  readonly id: string
  readonly label?: Label | undefined
  /** Who gave it, where that was known then. */
  readonly annotator?: string | undefined
  readonly isRevision?: boolean
}

interface Parts {
  /** Where entries wait, so that a reload keeps them; the browser's `localStorage`. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Its name there: one for each page, so that no tab sends what another is sending. */
  readonly name: string
  readonly send: (entry: Entry) => Promise<Saved>
  /** Resolves after so many milliseconds, or sooner where the server is known to be back. */
  readonly pause: (milliseconds: number) => Promise<void>
  readonly onChange?: () => void
  readonly onSaved?: (entry: Entry, saved: Saved) => void
  /** The server said no, and will say so again. */
  readonly onRefused?: (entry: Entry, failure: Failure) => void
}

export interface Queue {
  /** Waits to be sent after all that wait already. */
  add(entry: Entry): void
  /** Takes an answer back: dropped where it was never sent, else followed by its undoing. */
  undo(round: number, id: string): void
  /** Entries of a page that is gone, oldest first: sent before our own that have not begun. */
  adopt(entries: readonly Entry[]): void
  readonly entries: readonly Entry[]
}

const soonest = 500
const latest = 15_000

/** Sends entries one by one in order, again and again until each is acknowledged. */
export function createQueue({ storage, name, send, pause, onChange, onSaved, onRefused }: Parts): Queue {
  let entries = readEntries(storage, name)
  /** Whether the first entry was tried: then the server may have it, whatever we heard. */
  let isTried = false
  let isSending = false

  function change(next: readonly Entry[]) {
    entries = next
    try {
      if (entries.length === 0) storage.removeItem(name)
      else storage.setItem(name, JSON.stringify(entries))
    } catch {
      // Where storage is full or forbidden the entries live as long as the page: answering goes on.
    }
    onChange?.()
    if (!isSending) sendAll()
  }

  async function sendAll() {
    isSending = true
    let wait = soonest
    for (let first = entries[0]; first; first = entries[0]) {
      isTried = true
      const outcome = await attempt(first)
      if (outcome instanceof Failure && outcome.isPassing) {
        await pause(wait)
        wait = Math.min(latest, wait * 2)
        continue
      }
      wait = soonest
      isTried = false
      change(entries.slice(1))
      if (outcome instanceof Failure) onRefused?.(first, outcome)
      else onSaved?.(first, outcome)
    }
    isSending = false
  }

  async function attempt(entry: Entry): Promise<Saved | Failure> {
    try {
      return await send(entry)
    } catch (error) {
      if (error instanceof Failure) return error
      throw error
    }
  }

  if (entries.length > 0) sendAll()

  return {
    get entries() {
      return entries
    },
    add: (entry) => change([...entries, entry]),
    undo(round, id) {
      const at = entries.findLastIndex((entry) => entry.round === round && entry.id === id && entry.label !== undefined)
      const isUnsent = at > 0 || (at === 0 && !isTried)
      change(isUnsent ? entries.toSpliced(at, 1) : [...entries, { round, id }])
    },
    adopt: (others) => change(entries.toSpliced(isTried ? 1 : 0, 0, ...others)),
  }
}

/** What waits under a name, oldest first. */
export function readEntries(storage: Pick<Storage, 'getItem'>, name: string): readonly Entry[] {
  try {
    const entries: unknown = JSON.parse(storage.getItem(name) ?? '[]')
    return Array.isArray(entries) ? entries : []
  } catch {
    return []
  }
}

import type { Project } from '../../protocol/project.ts'
import type { Saved } from '../../protocol/rounds.ts'
import { annotatorNow } from '../state/annotator.ts'
import { api, Failure } from './client.ts'
import { adoptOrphans } from './orphans.ts'
import { page } from './page.ts'
import { createQueue, type Entry, type Queue } from './queue.ts'
import { changeServer, reconnect, serverNow, watch } from './store.ts'

interface AnswerListener {
  onSaved: (entry: Entry, saved: Saved) => void
  onRefused: (entry: Entry, failure: Failure) => void
  /** Answers of a page that is gone are now ours to send. */
  onAdopted: (entries: readonly Entry[]) => void
}

let listener: AnswerListener | undefined
let queue: Queue | undefined
let prefix = ''
let leave = () => {}

export const answers = {
  /** Begins with a project; again for the same one, it does nothing. */
  open(project: Project): void {
    // Another project served at this address tomorrow must not be given the answers of this one.
    const name = `alis:queue:${project.path}:${project.pool}:`
    if (name === prefix) return
    leave()
    prefix = name
    queue = createQueue({
      storage: localStorage,
      name: prefix + page,
      send,
      pause,
      onChange: () => changeServer({ unsaved: queue?.entries.length ?? 0 }),
      onSaved: (entry, saved) => listener?.onSaved(entry, saved),
      onRefused: (entry, failure) => listener?.onRefused(entry, failure),
    })
    changeServer({ unsaved: queue.entries.length }) // what an earlier page of this name left
    // Locks need a secure context; where there are none, what a lost page left is sent when that address is opened securely.
    if (navigator.locks)
      leave = adoptOrphans({ storage: localStorage, locks: navigator.locks, prefix, page, onStorage, onAdopt }, queue)
  },
  give(entry: Entry): void {
    const annotator = annotatorNow()
    queue?.add({ ...entry, ...(annotator !== undefined && { annotator }) })
  },
  takeBack: (round: number, id: string) => queue?.undo(round, id),
  unsent: (): readonly Entry[] => queue?.entries ?? [],
  /** Tells from now on what becomes of the answers. */
  follow(next: AnswerListener): void {
    listener = next
  },
}

async function send({ round, id, label, annotator, isRevision }: Entry): Promise<Saved> {
  const by = annotator === undefined ? {} : { annotator }
  try {
    if (label === undefined) return await api.takeBack(round, id, { page, ...by })
    return await api.answer(round, id, { label, page, ...by, ...(isRevision && { isRevision }) })
  } catch (failure) {
    if (failure instanceof Failure && failure.status === 0) reconnect()
    throw failure
  }
}

/** Waits so long, or until the server is back: but always a little, so that a server that is half there is not flooded. */
async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 250))
  await new Promise<void>((resolve) => {
    const wasOffline = serverNow().connection === 'offline'
    const stop = watch(() => wasOffline && serverNow().connection === 'online' && done())
    const timer = setTimeout(done, milliseconds)
    function done() {
      stop()
      clearTimeout(timer)
      resolve()
    }
  })
}

function onAdopt(entries: readonly Entry[]): void {
  listener?.onAdopted(entries)
}

function onStorage(written: () => void): () => void {
  addEventListener('storage', written)
  return () => removeEventListener('storage', written)
}

import type { Event } from '../../protocol/events.ts'
import type { State } from '../../protocol/project.ts'
import { observable } from '../state/observable.ts'
import { api, Failure } from './client.ts'
import { openEvents } from './event-source.ts'
import { page } from './page.ts'
import { openTab } from './secret.ts'
import { keepStream } from './stream.ts'

interface ServerState {
  /** Missing until the server was reached for the first time. */
  readonly state: State | undefined
  readonly connection: 'online' | 'offline'
  /** Answers given here and not yet acknowledged. */
  readonly unsaved: number
  /** Why the state could not be had, where the server said no. */
  readonly failure: Failure | undefined
}

const server = observable<ServerState>({ state: undefined, connection: 'online', unsaved: 0, failure: undefined })
const listeners = new Set<(event: Event) => void>()
/** How many times an event told of the project. */
let told = 0
let stream: ReturnType<typeof keepStream> | undefined

/** What is known of the server now; a component that uses it follows every change. */
export const { use: useServer, now: serverNow, watch } = server

export function changeServer(change: Partial<ServerState>): void {
  server.set({ ...server.now(), ...change })
}

/** Calls `listener` for every event the server sends; returns how to stop that. */
export function listen(listener: (event: Event) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Asks for the state anew: after something was begun that the server does not announce by itself. */
export async function refresh(): Promise<void> {
  try {
    const before = told
    const state = await api.state()
    // An event may have overtaken this answer; whatever is newer than the event comes as one, too.
    const project = told === before ? state.project : server.now().state?.project
    changeServer({ state: { ...state, project }, connection: 'online', failure: undefined })
  } catch (failure) {
    if (failure instanceof Failure && failure.status > 0) changeServer({ failure })
    throw failure
  }
}

export function reconnect(): void {
  stream?.again()
}

/** Begins to follow the server; once, when the page opens. */
export function connect(): void {
  openTab(reconnect)
  stream = keepStream({
    open: () => openEvents(`/api/v1/events?page=${page}`),
    refresh,
    onOffline: () => changeServer({ connection: 'offline' }),
    onEvent(event) {
      const { state } = server.now()
      if (event.type === 'project' && state) {
        told++
        changeServer({ state: { ...state, project: event.project } })
      }
      for (const listener of listeners) listener(event)
    },
  })
  addEventListener('online', reconnect)
  addEventListener('offline', reconnect) // the machine may have lost its network and not a server on itself: ask
}

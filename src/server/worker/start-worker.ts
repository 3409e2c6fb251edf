import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker as Thread } from 'node:worker_threads'
import { AlisError } from '../../core/errors.ts'
import { connect, type Remote } from '../../core/thread-calls.ts'
import type { ParentMethods, WorkerMethods, WorkerWish } from './worker-protocol.ts'

export interface RunningWorker {
  readonly methods: Remote<WorkerMethods>
  stop(): Promise<void>
}

/** Starts a worker that may call the parent's methods; `onDeath` is called if it ends without having been stopped. */
export type StartWorker = (parent: ParentMethods, onDeath: (reason: unknown) => void) => RunningWorker

const workerFile = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)
const patience = 5_000 // ms for what is being computed: reading is stopped, fits are not

/** Workers in threads of this process, with their pools where `wish` wants them. */
export function workerThreads(wish: WorkerWish): StartWorker {
  return (parent, onDeath) => {
    const thread = new Thread(workerFile, { execArgv: [], workerData: wish })
    const { remote, disconnect } = connect<WorkerMethods>(thread, parent)
    let isOver = false
    const end = (reason: unknown) => {
      if (isOver) return
      isOver = true
      disconnect(new AlisError('engine-failed', 'worker: must stay alive, got its end', 'Try again.', { cause: reason }))
      onDeath(reason)
    }
    thread.on('error', end)
    thread.on('exit', end)
    const ended = once(thread, 'exit').catch(() => {})
    return {
      methods: remote,
      async stop() {
        isOver = true
        remote.close().catch(() => {}) // the end of the thread is the reply
        await Promise.race([ended, pause(patience, undefined, { ref: false })])
        disconnect(new AlisError('engine-failed', 'worker: must stay alive, got its end'))
        await thread.terminate()
      },
    }
  }
}

import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { requireInput } from '../../core/errors.ts'
import { type KernelBuild, type Kernels, kernelsOn } from './kernels.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { type Task, taskQueueAt } from './task-queue.ts'
import { finishedIn, type Job, runJob } from './tasks.ts'
import type { CompiledModule, SharedMemory } from './webassembly.ts'
import type { WorkerMessage } from './worker.ts'

let count: number | undefined

/** Threads at work on a job, ours among them: as many as there are processors, or as ALIS_THREADS says. */
export function threadCount(): number {
  count ??= Math.min(16, toldThreads() ?? availableParallelism())
  return count
}

function toldThreads(): number | undefined {
  const told = process.env.ALIS_THREADS
  if (told === undefined) return undefined
  const isFine = /^[1-9]\d*$/.test(told)
  requireInput(isFine, `ALIS_THREADS: a whole number of at least 1 is required, got ${JSON.stringify(told)}`)
  return Number(told)
}

/** Bytes of a job so small that waking other threads takes longer than doing it. */
const tooSmall = 2 ** 22

const workerFile = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)

/** The other threads, once they are wanted. */
let workers: readonly Worker[] | undefined
/** A word for each, which it sets as soon as it is ready; one that is not is told of nothing, and not waited for. */
let areReady: Int32Array | undefined
let memoriesSoFar = 0
let jobsSoFar = 0
const jobs = oneAtATime()

/** All threads of the process, for jobs on one memory. */
export interface MemoryThreads {
  readonly kernels: Kernels
  /** Does a job; jobs wait for each other. `bytes`: what it has to read. */
  run(job: Job, bytes: number): Promise<void>
  close(): void
}

export function threadsOn({ module }: KernelBuild, memory: SharedMemory): MemoryThreads {
  const kernels = kernelsOn(module, memory)
  const { key, others, forget } = tellersOf(module, memory)
  if (memory.buffer.byteLength > tooSmall) startWorkers() // it takes a while

  async function runNow(job: Job, bytes: number): Promise<void> {
    new Int32Array(memory.buffer, job.layout.counter, 2).fill(0)
    const helpers = bytes > tooSmall ? others() : []
    const number = ++jobsSoFar
    for (const [k, worker] of helpers.entries()) tell(worker, { kind: 'job', key, job, number, thread: k + 1 })
    runJob(kernels, memory.buffer, job, 0)
    if (!areDoneSoon(memory.buffer, job, helpers.length)) await Promise.all(helpers.map((worker) => done(worker, number)))
  }

  return {
    kernels,
    run: (job, bytes) => jobs.next(() => runNow(job, bytes)),
    close: forget,
  }
}

/** Does tasks on a memory with the help of other threads, by a queue at some place in it. */
export function taskRunner(module: CompiledModule, memory: SharedMemory, kernels: Kernels, queue: number): (task: Task) => void {
  const { key, others } = tellersOf(module, memory)
  const { run } = taskQueueAt(kernels, memory.buffer, queue)
  return (task) => {
    const helpers = task.parts > 1 ? others() : []
    run(task, helpers.length, (helper) => tell(helpers[helper]!, { kind: 'serve', key, queue, helper }))
  }
}

/** Whether all others have done a job, or do so presently: none has more left than is taken at once, and a message takes longer than that, unless rows are wide. */
function areDoneSoon(memory: SharedArrayBuffer, { layout }: Job, others: number): boolean {
  const finished = finishedIn(memory, layout)
  for (const until = performance.now() + 1; Atomics.load(finished, 0) < others; ) if (performance.now() > until) return false
  return true
}

/** Waits for a thread to say so; it may say so of earlier jobs first. */
async function done(worker: Worker, number: number): Promise<void> {
  worker.ref()
  for (let last = 0; last < number; ) [last] = await once(worker, 'message')
  worker.unref()
}

const tell = (worker: Worker, message: WorkerMessage) => worker.postMessage(message)

/** A memory as other threads know it: `others` are those that are ready, and have been told of it. */
function tellersOf(module: CompiledModule, memory: SharedMemory) {
  const key = memoriesSoFar++
  const told = new Set<Worker>()
  const others = (): readonly Worker[] => {
    const missing = startWorkers().findIndex((_, k) => Atomics.load(areReady!, k) === 0)
    const ready = missing < 0 ? startWorkers() : startWorkers().slice(0, missing) // in order, so that each keeps its number
    for (const worker of ready) {
      if (told.has(worker)) continue
      tell(worker, { kind: 'memory', key, module, memory })
      told.add(worker)
    }
    return ready
  }
  const forget = () => {
    for (const worker of told) tell(worker, { kind: 'forget', key })
  }
  return { key, others, forget }
}

/** Starts the other threads, once. They keep no process alive that has nothing else to do. */
function startWorkers(): readonly Worker[] {
  areReady ??= new Int32Array(new SharedArrayBuffer(4 * threadCount()))
  workers ??= Array.from({ length: threadCount() - 1 }, (_, k) => {
    const worker = new Worker(workerFile, { execArgv: [], workerData: areReady!.subarray(k, k + 1) })
    worker.unref()
    return worker
  })
  return workers
}

/** Waits until all threads are ready: for measurements and comparisons. */
export async function allThreads(): Promise<void> {
  for (const k of startWorkers().keys()) while (Atomics.load(areReady!, k) === 0) await pause(1)
}

import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { requireInput } from '../../core/errors.ts'
import { type KernelBuild, type Kernels, kernelsOn } from './kernels.ts'
import type { Slab } from './slabs.ts'
import { boardAt, type Task } from './task-queue.ts'
import { finishedIn, type Job, work } from './tasks.ts'
import type { SharedMemory } from './webassembly.ts'
import type { Order } from './worker.ts'

let wanted: number | undefined

/** Threads at work on a job, ours among them: as many as there are processors, or as ALIS_THREADS says. */
export function threads(): number {
  wanted ??= Math.min(16, toldThreads() ?? availableParallelism())
  return wanted
}

function toldThreads(): number | undefined {
  const told = process.env.ALIS_THREADS
  if (told === undefined) return undefined
  const isFine = /^[1-9]\d*$/.test(told)
  requireInput(isFine, `ALIS_THREADS: a whole number of at least 1 is required, got ${JSON.stringify(told)}`)
  return Number(told)
}

/** A job so small that waking others takes longer than doing it. */
const tooSmall = 2 ** 22 // bytes

const workerFile = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)

/** The other threads, once they are wanted. */
let workers: readonly Worker[] | undefined
/** A word for each, which it sets as soon as it is ready; nobody else is told of anything, or waited for. */
let areReady: Int32Array | undefined
let slabsSoFar = 0
let jobsSoFar = 0
let busy: Promise<unknown> = Promise.resolve()

/** A slab that jobs can be done on, by as many threads as the machine has. */
export interface ThreadPool {
  readonly kernels: Kernels
  /** Does a job; jobs wait for each other. `bytes`: what it has to read. */
  run(job: Job, bytes: number): Promise<void>
  close(): void
}

export function benchFor({ module }: KernelBuild, { memory }: Slab): ThreadPool {
  const kernels = kernelsOn(module, memory)
  const slab = slabsSoFar++
  const told = new Set<Worker>()
  if (memory.buffer.byteLength > tooSmall) hire() // they take a while to come

  async function runNow(job: Job, bytes: number): Promise<void> {
    new Int32Array(memory.buffer, job.desk.counter, 2).fill(0)
    const others = bytes > tooSmall ? crewOn({ slab, module, memory }, told) : []
    const number = ++jobsSoFar
    for (const [k, worker] of others.entries()) tell(worker, { kind: 'job', slab, job, number, thread: k + 1 })
    work(kernels, memory.buffer, job, 0)
    if (!areDoneSoon(memory.buffer, job, others.length)) await Promise.all(others.map((worker) => done(worker, number)))
  }

  return {
    kernels,
    run(job, bytes) {
      const mine = busy.then(() => runNow(job, bytes))
      busy = mine.catch(() => {})
      return mine
    },
    close() {
      for (const worker of told) tell(worker, { kind: 'forget', slab })
    },
  }
}

/** Does tasks on a memory, with a board at some place in it. */
export function helpedOn({ module }: KernelBuild, memory: SharedMemory, kernels: Kernels, board: number): (task: Task) => void {
  const slab = slabsSoFar++
  const told = new Set<Worker>()
  const { post } = boardAt(kernels, memory.buffer, board)
  return (task) => {
    const helpers = task.parts > 1 ? crewOn({ slab, module, memory }, told) : []
    post(task, helpers.length, (helper) => tell(helpers[helper]!, { kind: 'help', slab, board, helper }))
  }
}

/** Whether all others have done a job, or do so presently: nobody has more left than is taken at once, and a message takes longer than that, unless rows are wide. */
function areDoneSoon(memory: SharedArrayBuffer, { desk }: Job, others: number): boolean {
  const finished = finishedIn(memory, desk)
  for (const until = performance.now() + 1; Atomics.load(finished, 0) < others; ) if (performance.now() > until) return false
  return true
}

/** Waits for a thread to say so; it may say so of earlier jobs first. */
async function done(worker: Worker, number: number): Promise<void> {
  worker.ref()
  for (let last = 0; last < number; ) [last] = await once(worker, 'message')
  worker.unref()
}

const tell = (worker: Worker, order: Order) => worker.postMessage(order)

/** Everybody who is there, and knows of the slab from now on. */
function crewOn(slab: Omit<Order & { kind: 'slab' }, 'kind'>, told: Set<Worker>): readonly Worker[] {
  const missing = hire().findIndex((_, k) => Atomics.load(areReady!, k) === 0)
  const there = missing < 0 ? hire() : hire().slice(0, missing) // in order, so that everybody keeps a number
  for (const worker of there) {
    if (told.has(worker)) continue
    tell(worker, { kind: 'slab', ...slab })
    told.add(worker)
  }
  return there
}

/** Starts the other threads, once. They keep no process alive that has nothing else to do. */
function hire(): readonly Worker[] {
  areReady ??= new Int32Array(new SharedArrayBuffer(4 * threads()))
  workers ??= Array.from({ length: threads() - 1 }, (_, k) => {
    const worker = new Worker(workerFile, { execArgv: [], workerData: areReady!.subarray(k, k + 1) })
    worker.unref()
    return worker
  })
  return workers
}

/** Waits until all threads are there: for those who measure, or compare. */
export async function allHands(): Promise<void> {
  for (const k of hire().keys()) while (Atomics.load(areReady!, k) === 0) await pause(1)
}

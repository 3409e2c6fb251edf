import { parentPort, workerData } from 'node:worker_threads'
import { type Kernels, kernelsOn } from './kernels.ts'
import { boardAt } from './task-queue.ts'
import { finishedIn, type Job, work } from './tasks.ts'
import type { CompiledModule, SharedMemory } from './webassembly.ts'

/** What a thread is told: of a slab, once; then of jobs on it. */
export type Order =
  | { readonly kind: 'slab'; readonly slab: number; readonly module: CompiledModule; readonly memory: SharedMemory }
  | { readonly kind: 'forget'; readonly slab: number }
  | { readonly kind: 'help'; readonly slab: number; readonly board: number; readonly helper: number }
  | { readonly kind: 'job'; readonly slab: number; readonly job: Job; readonly number: number; readonly thread: number }

const slabs = new Map<number, { readonly kernels: Kernels; readonly memory: SharedMemory }>()

parentPort?.on('message', (order: Order) => {
  if (order.kind === 'slab') slabs.set(order.slab, { kernels: kernelsOn(order.module, order.memory), memory: order.memory })
  else if (order.kind === 'forget') slabs.delete(order.slab)
  else {
    const { kernels, memory } = slabs.get(order.slab)!
    if (order.kind === 'help') return boardAt(kernels, memory.buffer, order.board).standBy(order.helper)
    work(kernels, memory.buffer, order.job, order.thread)
    Atomics.add(finishedIn(memory.buffer, order.job.desk), 0, 1)
    parentPort?.postMessage(order.number)
  }
})

const isReady: Int32Array | null = workerData
if (isReady) Atomics.store(isReady, 0, 1)

import { parentPort, workerData } from 'node:worker_threads'
import { type Kernels, kernelsOn } from './kernels.ts'
import { taskQueueAt } from './task-queue.ts'
import { finishedIn, type Job, runJob } from './tasks.ts'
import type { CompiledModule, SharedMemory } from './webassembly.ts'

/** What a thread is told: of a memory, once; then of jobs and tasks on it. */
export type WorkerMessage =
  | { readonly kind: 'memory'; readonly key: number; readonly module: CompiledModule; readonly memory: SharedMemory }
  | { readonly kind: 'forget'; readonly key: number }
  | { readonly kind: 'serve'; readonly key: number; readonly queue: number; readonly helper: number }
  | { readonly kind: 'job'; readonly key: number; readonly job: Job; readonly number: number; readonly thread: number }

const memories = new Map<number, { readonly kernels: Kernels; readonly memory: SharedMemory }>()

parentPort?.on('message', (message: WorkerMessage) => {
  const { kind, key } = message
  if (kind === 'memory') memories.set(key, { kernels: kernelsOn(message.module, message.memory), memory: message.memory })
  else if (kind === 'forget') memories.delete(key)
  else {
    const { kernels, memory } = memories.get(key)!
    if (kind === 'serve') return taskQueueAt(kernels, memory.buffer, message.queue).serve(message.helper)
    runJob(kernels, memory.buffer, message.job, message.thread)
    Atomics.add(finishedIn(memory.buffer, message.job.layout), 0, 1)
    parentPort?.postMessage(message.number)
  }
})

const isReady: Int32Array | null = workerData
if (isReady) Atomics.store(isReady, 0, 1)

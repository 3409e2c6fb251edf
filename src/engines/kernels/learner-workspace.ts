import { type Kernels, kernelsOn, portableBuild } from './kernels.ts'
import { bytesOfQueue, type Task } from './task-queue.ts'
import { taskRunner } from './threads.ts'
import { Memory, type SharedMemory } from './webassembly.ts'

const page = 65536
const queue = 64 // bytes from the beginning of the memory

/** One memory for all learners of a process: they fit one model after the other. */
export interface LearnerWorkspace {
  readonly memory: SharedMemory
  readonly kernels: Kernels
  /** Does a task with the help of other threads. */
  readonly run: (task: Task) => void
  /** Whose rows lie there, and whose factors. */
  rows?: object
  factors?: object | undefined
}

let workspace: LearnerWorkspace | undefined

export function learnerWorkspace(): LearnerWorkspace {
  workspace ??= newWorkspace()
  return workspace
}

function newWorkspace(): LearnerWorkspace {
  const memory = new Memory({ initial: 1, maximum: 65536, shared: true })
  const { module } = portableBuild!
  const kernels = kernelsOn(module, memory)
  return { memory, kernels, run: taskRunner(module, memory, kernels, queue) }
}

export const aligned = (bytes: number) => Math.ceil(bytes / 64) * 64

/** Where rows may begin to lie. */
export const firstPlace = aligned(queue + bytesOfQueue)

export function makeRoom(memory: SharedMemory, end: number): void {
  const missing = end - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / page))
}

import { type KernelArguments, type Kernels, signatures } from './kernels.ts'

/** Kernels that do one of several parts of their work. */
type SharedKernel = 'project' | 'addRows' | 'bend' | 'squares'
const shared: readonly SharedKernel[] = ['project', 'addRows', 'bend', 'squares']

/** Work on one memory that a thread does at once, with the help of others: the kernel is called for each part. */
export type Task = {
  [Name in SharedKernel]: {
    readonly kernel: Name
    readonly given: Omit<KernelArguments<Name>, 'part' | 'parts'>
    readonly parts: number
  }
}[SharedKernel]

/** The parameters of each but the part and the number of parts, which come last. */
const parametersOf = shared.map((kernel) => signatures[kernel].split(' ').slice(0, -2))

/**
 * A queue is words in the memory itself, so that other threads see a task as soon as it is there: the next part that no thread has taken,
 * counted from the first; how many are done; what the task is; and which helpers are serving.
 */
const next = 0
const done = 1
const first = 2
const parts = 3
const kernel = 4
const argument = 5
const mostArguments = 11
const isServing = argument + mostArguments
const mostHelpers = 16 // as threads.ts has threads
const wordsOfQueue = isServing + mostHelpers

export const bytesOfQueue = 4 * wordsOfQueue

/** Parts of different tasks are counted so far apart: a helper that is late for one must not take a part of another. */
const apart = 64

/** In place of the next part while a task is written. */
const closed = -1

/** How long a helper looks out for the next task, in milliseconds: a fit has many, one soon after another. */
const lookout = 0.5

export interface TaskQueue {
  /** Does a task, within this very turn. `wake` starts a helper that is not serving; one that has not begun is not waited for. */
  run(task: Task, helpers: number, wake: (helper: number) => void): void
  /** Helps with one task after another, until there has been none for a while. */
  serve(helper: number): void
}

export function taskQueueAt(kernels: Kernels, memory: SharedArrayBuffer, at: number): TaskQueue {
  const words = new Int32Array(memory, at, wordsOfQueue)

  /**
   * Does a part that no thread has taken; whether there was one. A number is the next part's once only, and none while a task is
   * written: so if it still is after the task was read, this is the task it belongs to.
   */
  function help(): boolean {
    const own = Atomics.load(words, next)
    const part = own - Atomics.load(words, first)
    const number = Atomics.load(words, parts)
    if (own === closed || part < 0 || part >= number) return false
    const which = Atomics.load(words, kernel)
    const given: Record<string, number> = { part, parts: number }
    for (const [k, name] of parametersOf[which]!.entries()) given[name] = Atomics.load(words, argument + k)
    if (Atomics.compareExchange(words, next, own, own + 1) !== own) return true
    kernels[shared[which]!](given as never) // it has what this kernel is called with
    Atomics.add(words, done, 1)
    return true
  }

  return {
    run(task, helpers, wake) {
      if (task.parts === 1) {
        kernels[task.kernel]({ ...task.given, part: 0, parts: 1 } as never)
        return
      }
      const own = (Atomics.load(words, first) + apart) % 2 ** 30
      const which = shared.indexOf(task.kernel)
      const given: Readonly<Record<string, number>> = task.given
      Atomics.store(words, next, closed)
      Atomics.store(words, first, own)
      Atomics.store(words, parts, task.parts)
      Atomics.store(words, kernel, which)
      for (const [k, name] of parametersOf[which]!.entries()) Atomics.store(words, argument + k, given[name]!)
      Atomics.store(words, done, 0)
      Atomics.store(words, next, own)
      for (let k = 0; k < helpers; k++) if (Atomics.exchange(words, isServing + k, 1) === 0) wake(k)
      while (help());
      while (Atomics.load(words, done) < task.parts); // what others have begun takes no longer than ours
    },
    serve(helper) {
      for (let until = performance.now() + lookout; performance.now() < until; ) if (help()) until = performance.now() + lookout
      Atomics.store(words, isServing + helper, 0)
    },
  }
}

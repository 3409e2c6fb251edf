import type { Kernels } from './kernels.ts'

/** Work on one memory that a thread does at once, with the help of whoever comes: the kernel is called for each part. */
export interface Task {
  readonly kernel: SharedKernel
  /** What it is called with; the part and their number come last. */
  readonly args: readonly number[]
  readonly parts: number
}

/** Kernels that do some part of their work, and how many numbers they are called with before that. */
const argumentsOf = { project: 6, addRows: 6, bend: 9, squares: 6 }
type SharedKernel = keyof typeof argumentsOf
const shared = Object.keys(argumentsOf) as SharedKernel[]

/**
 * Where such work is posted: words in the memory itself, so that others see it as soon as it is there. The next part that nobody has taken, counted from the
 * first; how many are done; what the work is; and who is about.
 */
const next = 0
const done = 1
const first = 2
const parts = 3
const kernel = 4
const argument = 5
const mostArguments = 11
const isAbout = argument + mostArguments
const mostHelpers = 16 // as crew.ts has threads
const wordsOfBoard = isAbout + mostHelpers

export const bytesOfBoard = 4 * wordsOfBoard

/** Parts of different tasks are counted so far apart: who comes late for one must not take a part of another. */
const apart = 64

/** In place of the next part while a task is written. */
const closed = -1

/** How long a helper looks out for the next task, in milliseconds: a fit posts many, one soon after another. */
const patience = 0.5

/** A board, as whoever posts there and whoever helps see it. */
export interface Board {
  /** Does a task, within this very turn. `call` has a helper come who is not about; nobody is waited for who has not begun. */
  post(task: Task, helpers: number, call: (helper: number) => void): void
  /** Helps with whatever is posted, until nothing has been for a while. */
  standBy(helper: number): void
}

export function boardAt(kernels: Kernels, memory: SharedArrayBuffer, at: number): Board {
  const words = new Int32Array(memory, at, wordsOfBoard)

  /**
   * Does a part that nobody has taken; whether there was one. A number is the next part's once only, and none while a task is written: so if it still is after the
   * task was read, this is the task it belongs to.
   */
  function help(): boolean {
    const own = Atomics.load(words, next)
    const part = own - Atomics.load(words, first)
    const number = Atomics.load(words, parts)
    if (own === closed || part < 0 || part >= number) return false
    const name = shared[Atomics.load(words, kernel)]!
    const args: number[] = []
    for (let k = 0; k < argumentsOf[name]; k++) args.push(Atomics.load(words, argument + k))
    if (Atomics.compareExchange(words, next, own, own + 1) !== own) return true
    ;(kernels[name] as (...args: number[]) => void)(...args, part, number)
    Atomics.add(words, done, 1)
    return true
  }

  return {
    post(task, helpers, call) {
      const own = (Atomics.load(words, first) + apart) % 2 ** 30
      Atomics.store(words, next, closed)
      Atomics.store(words, first, own)
      Atomics.store(words, parts, task.parts)
      Atomics.store(words, kernel, shared.indexOf(task.kernel))
      for (const [k, arg] of task.args.entries()) Atomics.store(words, argument + k, arg)
      Atomics.store(words, done, 0)
      Atomics.store(words, next, own)
      if (task.parts > 1) for (let k = 0; k < helpers; k++) if (Atomics.exchange(words, isAbout + k, 1) === 0) call(k)
      while (help());
      while (Atomics.load(words, done) < task.parts); // what others have begun takes no longer than ours
    },
    standBy(helper) {
      for (let until = performance.now() + patience; performance.now() < until; ) if (help()) until = performance.now() + patience
      Atomics.store(words, isAbout + helper, 0)
    },
  }
}

import { requireInput } from '../core/errors.ts'
import type { ColumnModel } from '../core/model.ts'
import type { Signal } from '../core/signal.ts'
import type { Learner } from '../learners/learner.ts'
import { type OwnFit, ownLearner } from '../learners/own-learner.ts'
import { endedEarly, startProgram } from '../programs/program.ts'
import { inTime, requireTimeout } from '../programs/time.ts'
import { whenAborted } from '../programs/when-aborted.ts'
import { blaming, type FilePool, fitText, largestScores, learnerFailed, readFit } from './messages.ts'

export interface ElsewhereOptions {
  readonly pool: FilePool
  /** Handed on, for models that draw lots. Default 0. */
  readonly seed?: number
  /** Milliseconds that a fit may take. Default ten minutes. */
  readonly timeout?: number
  readonly signal?: Signal | undefined
}

export interface CommandLearnerOptions extends ElsewhereOptions {
  /** Run by the shell when the first model is wanted, and kept. */
  readonly command: string
}

export const usualTimeout = 600_000

/** A learner that holds something open. */
export type OpenLearner = Learner<ColumnModel> & { close(): Promise<void> }

/**
 * A program that fits models of its own: what it is asked are lines of JSON on its stdin, its replies lines of JSON on its stdout.
 * A program that fails is ended, and the next fit starts it afresh.   @see docs/guides/your-model.md
 */
export function commandLearner({ command, pool, seed = 0, timeout = usualTimeout, signal }: CommandLearnerOptions): OpenLearner {
  requireInput(command.trim() !== '', 'command: the program that fits is required, got nothing')
  requireTimeout(timeout)
  let running: ReturnType<typeof startProgram> | undefined
  let stopped: Promise<unknown> = Promise.resolve()
  let fits = 0

  async function ask(request: OwnFit) {
    signal?.throwIfAborted()
    running ??= startProgram(command, { largest: largestScores, fail: learnerFailed })
    const program = running
    const fit = ++fits
    const called = Promise.withResolvers<never>()
    called.promise.catch(() => {}) // it may come before it is awaited
    const unlisten = whenAborted(signal, called.reject)
    const left = new AbortController()
    try {
      const text = await fitText(fit, pool, request, seed)
      const asking = async () => {
        await program.write(`${text}\n`, left.signal)
        return program.next()
      }
      const line = await inTime(Promise.race([called.promise, asking()]), timeout, () => tooSlow(fit, timeout))
      if (!line) throw endedEarly(await program.stop('now'), `a reply to fit ${fit} is`, learnerFailed)
      return readFit(line, { where: 'command', fit })
    } catch (error) {
      running = undefined
      stopped = Promise.all([stopped, program.stop('now')])
      throw error
    } finally {
      unlisten()
      left.abort()
    }
  }

  return {
    ...ownLearner('command', blaming(pool, 'command'), ask),
    async close() {
      await Promise.all([stopped, running?.stop('at the end of its input')])
    },
  }
}

const tooSlow = (fit: number, timeout: number) =>
  learnerFailed(
    `command: a reply to fit ${fit} within ${timeout / 1000} s is required, got none`,
    'A reply must leave the program at once: in Python, print(…, flush=True). More time: --learner-timeout.',
  )

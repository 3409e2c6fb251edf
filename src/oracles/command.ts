import { requireInput } from '../core/errors.ts'
import type { Label } from '../core/record.ts'
import type { Signal } from '../core/signal.ts'
import { endedEarly, startProgram } from '../programs/program.ts'
import { inTime, requireTimeout } from '../programs/time.ts'
import { whenAborted } from '../programs/when-aborted.ts'
import type { Answer, Contents, Oracle } from './oracle.ts'
import { largestReply, oracleFailed, readReply } from './reply.ts'
import { questionsFor } from './requests.ts'

export interface CommandOracleOptions {
  /** Run by the shell when the first question comes up, and kept. */
  readonly command: string
  readonly classes: readonly string[]
  /** The least and the largest grade, where answers are numbers and not classes. */
  readonly range?: readonly [number, number] | undefined
  readonly contents: Contents
  /** Milliseconds without an answer, while there are questions open, after which we give up. Default ten minutes. */
  readonly timeout?: number
}

/**
 * A program that answers: questions are lines of JSON on its stdin, answers lines of JSON on its stdout, in any order.
 * A program that fails is ended, and the next questions start it afresh. One call at a time.
 */
export function commandOracle({ timeout = 600_000, ...options }: CommandOracleOptions): Oracle {
  requireInput(options.command.trim() !== '', 'command: the program that answers is required, got nothing')
  requireTimeout(timeout)
  let running: AnsweringProcess | undefined
  let isClosed = false
  let stopped: Promise<unknown> = Promise.resolve()

  return {
    name: 'command',
    async *label(ids, signal) {
      signal?.throwIfAborted()
      if (isClosed) throw oracleFailed('command: an open oracle is required, got a closed one')
      if (ids.length === 0) return
      running ??= startProcess({ timeout, ...options })
      const { ask, abandon } = running
      try {
        yield* ask(ids, signal)
      } catch (error) {
        running = undefined
        stopped = Promise.all([stopped, abandon()])
        throw error
      }
    },
    async close() {
      isClosed = true
      await Promise.all([stopped, running?.finish()])
    },
  }
}

type AnsweringProcess = ReturnType<typeof startProcess>

/**
 * One process and what it was asked. It is asked about a point once: a reply that comes after its call was left is kept for the next
 * call that wants it, and the same reply twice is one.
 */
function startProcess({ command, timeout, ...options }: CommandOracleOptions & { readonly timeout: number }) {
  const program = startProgram(command, { largest: largestReply, fail: oracleFailed })
  const rules = {
    where: 'command',
    shape: '{"id": …, "label": …}',
    hint: 'Notes and logs belong on stderr.',
    classes: options.classes,
    range: options.range,
  }
  const asked = new Set<string>()
  const replies = new Map<string, Label>()

  async function send(ids: readonly string[], leaving: AbortSignal): Promise<void> {
    for await (const { id, text } of questionsFor(ids, options)) {
      if (leaving.aborted || !program.isListening()) return
      asked.add(id)
      await program.write(`${text}\n`, leaving)
    }
  }

  /** The next reply to a question that had none; nothing at the end of the output. */
  async function receive(): Promise<Answer | undefined> {
    for (let line = await program.next(); line; line = await program.next()) {
      const { id, label } = readReply(line, rules)
      if (id === undefined || !asked.has(id)) {
        throw oracleFailed(`command: the id of a question it was asked is required, got ${id === undefined ? 'none' : quote(id)}`)
      }
      const before = replies.get(id)
      if (before === undefined) {
        replies.set(id, label)
        return { id, label }
      }
      if (before !== label) {
        throw oracleFailed(`command: one answer for ${quote(id)} is required, got ${quote(before)} and then ${quote(label)}`)
      }
    }
    return undefined
  }

  async function* ask(ids: readonly string[], signal?: Signal): AsyncGenerator<Answer, void> {
    const open = new Set(ids)
    const left = new AbortController()
    const failure = Promise.withResolvers<never>()
    failure.promise.catch(() => {}) // it may come before it is awaited
    const unlisten = whenAborted(signal, failure.reject)
    const unsent = [...open].filter((id) => !asked.has(id))
    send(unsent, left.signal).catch(failure.reject)
    try {
      for (const id of open) {
        signal?.throwIfAborted()
        const label = replies.get(id)
        if (label !== undefined && open.delete(id)) yield { id, label }
      }
      while (open.size > 0) {
        signal?.throwIfAborted()
        const answer = await inTime(Promise.race([failure.promise, receive()]), timeout, () => timedOut(timeout, open.size))
        if (!answer) throw endedEarly(await program.stop('now'), `answers for ${points(open.size)} are`, oracleFailed)
        if (open.delete(answer.id)) yield answer
      }
    } finally {
      unlisten()
      left.abort()
    }
  }

  return {
    ask,
    abandon: () => program.stop('now'),
    /** A process with open questions is stopped at once: its answers would not be read. */
    finish: () => program.stop(asked.size > replies.size ? 'now' : 'at the end of its input'),
  }
}

const quote = (value: unknown) => JSON.stringify(value)
const points = (count: number) => (count === 1 ? '1 point' : `${count} points`)

function timedOut(timeout: number, open: number) {
  return oracleFailed(
    `command: an answer within ${timeout / 1000} s is required, got none for ${points(open)}`,
    'Each reply must leave the program at once: in Python, print(…, flush=True).',
  )
}

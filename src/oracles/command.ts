import { requireInput } from '../core/errors.ts'
import type { Label } from '../core/record.ts'
import type { Signal } from '../core/signal.ts'
import { linesOf } from './lines.ts'
import type { Answer, Contents, Oracle } from './oracle.ts'
import { largestReply, oracleFailed, readReply } from './reply.ts'
import { questionsFor } from './requests.ts'
import { type Ending, startShell } from './shell.ts'
import { whenAborted } from './when-aborted.ts'

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
  requireInput(timeout > 0 && timeout < 2 ** 31, `timeout: milliseconds, above 0 and below 2³¹, are required, got ${timeout}`)
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
  const shell = startShell(command)
  const rules = {
    where: 'command',
    shape: '{"id": …, "label": …}',
    hint: 'Notes and logs belong on stderr.',
    classes: options.classes,
    range: options.range,
  }
  const lines = linesOf(shell.output, largestReply, () =>
    oracleFailed(`command: a reply of at most ${largestReply} bytes is required, got a longer line`),
  )
  const asked = new Set<string>()
  const replies = new Map<string, Label>()

  async function send(ids: readonly string[], leaving: AbortSignal): Promise<void> {
    for await (const { id, text } of questionsFor(ids, options)) {
      if (leaving.aborted || !shell.isListening()) return
      asked.add(id)
      await shell.write(`${text}\n`, leaving)
    }
  }

  /** The next reply to a question that had none; nothing at the end of the output. */
  async function receive(): Promise<Answer | undefined> {
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      if (isBlank(line.value)) continue
      const { id, label } = readReply(line.value, rules)
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
        const timer = setTimeout(() => failure.reject(timedOut(timeout, open.size)), timeout)
        const answer = await Promise.race([failure.promise, receive()]).finally(() => clearTimeout(timer))
        if (!answer) throw endedEarly(await shell.stop('now'), open.size)
        if (open.delete(answer.id)) yield answer
      }
    } finally {
      unlisten()
      left.abort()
    }
  }

  return {
    ask,
    abandon: () => shell.stop('now'),
    /** A process with open questions is stopped at once: its answers would not be read. */
    finish: () => shell.stop(asked.size > replies.size ? 'now' : 'at the end of its input'),
  }
}

const quote = (value: unknown) => JSON.stringify(value)
const isBlank = (line: Uint8Array) => line.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09)
const points = (count: number) => (count === 1 ? '1 point' : `${count} points`)

function timedOut(timeout: number, open: number) {
  return oracleFailed(
    `command: an answer within ${timeout / 1000} s is required, got none for ${points(open)}`,
    'Each reply must leave the program at once: in Python, print(…, flush=True).',
  )
}

function endedEarly({ code, signal }: Ending, open: number) {
  const how = code !== null ? `exit code ${code}` : signal === 'SIGTERM' ? 'the end of its output' : (signal ?? 'no process')
  const hint = code === 127 ? 'The shell did not find a program of that name.' : undefined
  return oracleFailed(`command: answers for ${points(open)} are required, got ${how}`, hint)
}

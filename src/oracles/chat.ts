import { requireInput } from '../core/errors.ts'
import type { Label } from '../core/record.ts'
import { endpointAt } from '../programs/endpoint.ts'
import { isObject, quoted, readMessage } from '../programs/messages.ts'
import { classMeant, gradeMeant } from './lenient.ts'
import type { Contents, Oracle } from './oracle.ts'
import { promptOf } from './prompt.ts'
import { largestReply, oracleFailed, serviceWords } from './reply.ts'
import { replyCache } from './reply-cache.ts'
import { type RequestingOptions, requestingOracle, usualTimeout } from './requesting.ts'
import { inPortions } from './requests.ts'

export interface ChatOracleOptions extends RequestingOptions {
  /** Of the service, as those have that speak like OpenAI's: `…/v1`, or in full `…/v1/chat/completions`. */
  readonly url: string
  readonly model: string
  /** What it is asked: `Is this spam? {text}`. */
  readonly prompt: string
  /** Columns that a prompt may have in braces: those that are shown. */
  readonly columns: readonly string[]
  readonly classes: readonly string[]
  /** The least and the largest grade, where answers are numbers and not classes. */
  readonly range?: readonly [number, number] | undefined
  readonly contents: Contents
  /** Sent with every request, and never shown. */
  readonly headers?: Readonly<Record<string, string>>
  /** What else goes into every request: `{ temperature: 0 }`. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Requests that may be made, tries included. Default: any number. */
  readonly requests?: number
  /** A file where replies are kept, so that nothing is paid twice. Default: as long as the oracle lives. */
  readonly cache?: string
}

const mostUnclear = 5 // replies one after another that name no class: the prompt is wrong, or the service

/**
 * A language model that answers: each question is a prompt of its own, and the reply is read leniently. One that names no class is "cannot tell", but a
 * few in a row are a failure. Equal prompts are asked once.
 */
export function chatOracle(options: ChatOracleOptions): Oracle {
  const { model, prompt, columns, classes, range, contents, settings = {}, timeout = usualTimeout } = options
  requireInput(model.trim() !== '', 'oracle model: a name is required, got none')
  const promptFor = promptOf(prompt, columns, range ? [] : classes)
  const url = options.url.replace(/\/v1\/?$/, '/v1/chat/completions')
  const { where, hide, post } = endpointAt({ ...options, url, timeout, largest: largestReply, words: serviceWords })
  const cache = replyCache(options.cache)
  const spend = budget(options.requests, where)
  const labelIn = reader(where, hide, (reply) => (range ? gradeMeant(reply, range) : classMeant(reply, classes)))
  const keyOf = (body: string) => `${where}\n${body}`
  const underWay = new Map<string, Promise<unknown>>()

  async function asked(body: string, signal: AbortSignal) {
    const posted = await post(body, signal)
    if ('trouble' in posted) return posted
    const reply = contentIn(posted.body, where, hide)
    cache.keep(keyOf(body), reply)
    return { reply }
  }

  const service = {
    where,
    questions: (ids: readonly string[]) =>
      inPortions(ids, contents, ({ fields }) =>
        JSON.stringify({ ...settings, model, messages: [{ role: 'user', content: promptFor(fields) }] }),
      ),
    known({ id, text }: { id: string; text: string }) {
      const reply = cache.get(keyOf(text))
      return reply === undefined ? undefined : { id, label: labelIn(reply) }
    },
    async ask(question: { id: string; text: string }, turn: () => Promise<void>, signal: AbortSignal) {
      const { id, text } = question
      await underWay.get(text)?.catch(() => {}) // another point with the same words
      const known = service.known(question)
      if (known) return known
      await turn()
      spend()
      const asking = asked(text, signal)
      underWay.set(text, asking)
      const outcome = await asking.finally(() => underWay.delete(text))
      return 'trouble' in outcome ? outcome : { id, label: labelIn(outcome.reply) }
    },
  }
  return { name: 'chat', machine: `${model} at ${new URL(where).host}`, ...requestingOracle(service, options) }
}

function budget(requests = Number.POSITIVE_INFINITY, where: string): () => void {
  requireInput(requests >= 1, `requests: a number of at least 1 is required, got ${requests}`)
  let left = requests
  return () => {
    if (left-- > 0) return
    throw oracleFailed(
      `${where}: an answer within ${requests} requests is required, got none`,
      'Allow more with --oracle-requests.',
    )
  }
}

/** Reads replies, and fails where none of the last few said anything. */
function reader(where: string, hide: (text: string) => string, meant: (reply: string) => Label | undefined) {
  let unclear = 0
  return (reply: string): Label => {
    const label = meant(reply)
    unclear = label === undefined ? unclear + 1 : 0
    if (unclear < mostUnclear) return label ?? null
    throw oracleFailed(
      `${where}: a reply that names one of the answers is required, got ${mostUnclear} in a row that do not, the last ${quoted(reply, hide)}`,
      'Say in the prompt what the answer must be, and nothing else: {classes} stands for their names.',
    )
  }
}

interface Completion {
  readonly choices: readonly [{ readonly message: { readonly content: unknown } }]
}

/** What was said, also in parts; nothing where the service kept it back. */
function contentIn(bytes: Uint8Array, where: string, hide: (text: string) => string): string {
  const rules = { where, shape: '{"choices": [{"message": {"content": …}}]}', hide, fail: oracleFailed }
  const { content } = readMessage(bytes, rules, isCompletion).choices[0].message
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  return content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('')
}

function isCompletion(message: Record<string, unknown>): message is Record<string, unknown> & Completion {
  const [first] = Array.isArray(message.choices) ? message.choices : []
  return isObject(first) && isObject(first.message)
}

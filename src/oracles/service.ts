import { endpointAt } from '../programs/endpoint.ts'
import { quoted } from '../programs/messages.ts'
import type { Trouble } from '../programs/retries.ts'
import type { Answer } from './oracle.ts'
import { largestReply, oracleFailed, readReply, serviceWords } from './reply.ts'

interface ServiceOptions {
  readonly url: string
  readonly classes: readonly string[]
  readonly range?: readonly [number, number] | undefined
  /** Sent with every request, and never shown. */
  readonly headers?: Readonly<Record<string, string>>
  readonly timeout: number
}

/** What is at an address: asked one question, it answers, is in trouble that may pass, or fails for good. */
export function serviceAt({ classes, range, ...options }: ServiceOptions) {
  const { where, hide, post } = endpointAt({ ...options, largest: largestReply, words: serviceWords })

  async function ask(
    { id, text }: { readonly id: string; readonly text: string },
    signal: AbortSignal,
  ): Promise<Answer | Trouble> {
    const posted = await post(text, signal)
    if ('trouble' in posted) return posted
    const { id: said = id, label } = readReply(posted.body, { where, shape: '{"label": …}', classes, range, hide })
    if (said !== id) throw oracleFailed(`${where}: an answer for ${quoted(id)} is required, got one for ${quoted(said, hide)}`)
    return { id, label }
  }

  return { where, ask }
}

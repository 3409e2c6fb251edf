import { AlisError, type ErrorCode } from '../../core/errors.ts'

/** A worker, or what it sees of its parent. */
export interface Port {
  postMessage(message: unknown): void
  on(event: 'message', listener: (message: Message) => void): unknown
}

/** The methods of the other side, all of them to be waited for. */
export type Remote<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never
}

type Message =
  | { readonly call: number; readonly method: string; readonly args: readonly unknown[] }
  | { readonly reply: number; readonly value: unknown }
  | { readonly reply: number; readonly error: Told }

interface Told {
  readonly code?: ErrorCode
  readonly message: string
  readonly hint?: string
  readonly stack?: string
}

interface Waiting {
  resolve(value: unknown): void
  reject(reason: unknown): void
}

/** Calls both ways over a port: `mine` are the methods that the other side may call. */
export function connect<Theirs extends object>(port: Port, mine: object) {
  const waiting = new Map<number, Waiting>()
  const methods = mine as Record<string, (...args: unknown[]) => unknown>
  let calls = 0
  let gone: unknown

  async function serve(call: number, method: string, args: readonly unknown[]): Promise<void> {
    try {
      port.postMessage({ reply: call, value: await methods[method]!(...args) })
    } catch (error) {
      port.postMessage({ reply: call, error: toldOf(error) })
    }
  }

  port.on('message', (message) => {
    if ('call' in message) return void serve(message.call, message.method, message.args)
    const caller = waiting.get(message.reply)
    waiting.delete(message.reply)
    if ('error' in message) caller?.reject(errorOf(message.error))
    else caller?.resolve(message.value)
  })

  const call = (method: string, args: readonly unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      if (gone) return reject(gone)
      waiting.set(++calls, { resolve, reject })
      port.postMessage({ call: calls, method, args })
    })

  return {
    theirs: new Proxy({} as Remote<Theirs>, {
      get: (_, method) =>
        typeof method === 'string' && method !== 'then' ? (...args: unknown[]) => call(method, args) : undefined,
    }),
    /** The other side is gone: nobody who waits will get a reply. */
    hangUp(reason: unknown): void {
      gone = reason
      for (const { reject } of waiting.values()) reject(reason)
      waiting.clear()
    },
  }
}

function toldOf(error: unknown): Told {
  if (error instanceof AlisError) {
    const { code, message, hint } = error
    return { code, message, ...(hint !== undefined && { hint }) }
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { message, ...(stack !== undefined && { stack }) }
}

function errorOf({ code, message, hint, stack }: Told): Error {
  if (code !== undefined) return new AlisError(code, message, hint)
  return Object.assign(new Error(message), stack !== undefined && { stack })
}

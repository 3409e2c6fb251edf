import { AlisError, type ErrorCode } from './errors.ts'

/** A worker thread, or the parent as its worker sees it. */
interface Port {
  postMessage(message: unknown): void
  on(event: 'message', listener: (message: Message) => void): unknown
}

/** The methods of the other thread; every one returns a promise. */
export type Remote<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never
}

type Message =
  | { readonly call: number; readonly method: string; readonly args: readonly unknown[] }
  | { readonly reply: number; readonly value: unknown }
  | { readonly reply: number; readonly error: SerializedError }

interface SerializedError {
  readonly code?: ErrorCode
  readonly message: string
  readonly hint?: string | undefined
  readonly stack?: string | undefined
}

/** Calls both ways over a port: `local` are the methods that the other thread may call. */
export function connect<Methods extends object>(port: Port, local: object) {
  const pending = new Map<number, Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'>>()
  const methods = local as Record<string, (...args: unknown[]) => unknown>
  let calls = 0
  let disconnected: unknown

  async function serve(call: number, method: string, args: readonly unknown[]): Promise<void> {
    try {
      port.postMessage({ reply: call, value: await methods[method]!(...args) })
    } catch (error) {
      port.postMessage({ reply: call, error: serialized(error) })
    }
  }

  port.on('message', (message) => {
    if ('call' in message) return void serve(message.call, message.method, message.args)
    const caller = pending.get(message.reply)
    pending.delete(message.reply)
    if ('error' in message) caller?.reject(deserialized(message.error))
    else caller?.resolve(message.value)
  })

  const call = (method: string, args: readonly unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      if (disconnected) return reject(disconnected)
      pending.set(++calls, { resolve, reject })
      port.postMessage({ call: calls, method, args })
    })

  return {
    remote: new Proxy({} as Remote<Methods>, {
      get: (_, method) =>
        typeof method === 'string' && method !== 'then' ? (...args: unknown[]) => call(method, args) : undefined,
    }),
    /** The other thread is gone: every call, pending or later, fails for this reason. */
    disconnect(reason: unknown): void {
      disconnected = reason
      for (const { reject } of pending.values()) reject(reason)
      pending.clear()
    },
  }
}

function serialized(error: unknown): SerializedError {
  if (error instanceof AlisError) return { code: error.code, message: error.message, hint: error.hint }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { message, stack }
}

function deserialized({ code, message, hint, stack }: SerializedError): Error {
  if (code !== undefined) return new AlisError(code, message, hint)
  return Object.assign(new Error(message), stack !== undefined && { stack })
}

import type { Failing } from './failure.ts'

/** What a message is held against, and how it is shown if it does not pass. */
export interface MessageRules {
  /** Where it came from, as errors name it. */
  readonly where: string
  /** What it looks like, and what to do where it does not. */
  readonly shape: string
  readonly hint?: string
  /** Takes secrets out of what is shown. */
  readonly hide?: (text: string) => string
  readonly fail: Failing
}

/** A message as it came over the wire: an object that is what it must be. Other fields are passed over. */
export function readMessage<T extends object>(
  bytes: Uint8Array,
  rules: MessageRules,
  isRight: (message: Record<string, unknown>) => message is Record<string, unknown> & T,
): Record<string, unknown> & T {
  const { where, shape, hint, hide, fail } = rules
  const text = textOf(bytes, rules)
  const message = parsed(text)
  if (!isObject(message) || !isRight(message)) throw fail(`${where}: ${shape} is required, got ${quoted(text, hide)}`, hint)
  return message
}

/** The beginning of a text in quotes, its control characters made visible. */
export function quoted(text: string, hide = (shown: string) => shown): string {
  const shown = hide(text)
  return JSON.stringify(shown.length > 100 ? `${shown.slice(0, 100)}…` : shown)
}

/** JSON on one line, in ASCII: neither the encoding nor what a reader takes for the end of a line (Node's readline: U+2028 too) matters. */
export const messageText = (message: object): string =>
  JSON.stringify(message).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

function textOf(bytes: Uint8Array, { where, hide, fail }: MessageRules): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw fail(`${where}: text in UTF-8 is required, got ${quoted(new TextDecoder().decode(bytes), hide)}`)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A key that an object in a JSON text has twice: a parser would keep the last one only. */
export function repeatedKey(text: string): string | undefined {
  const open: Set<string>[] = []
  for (const [token, colon] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (colon !== undefined) {
      const key = JSON.parse(token.slice(0, -colon.length))
      if (open.at(-1)?.has(key)) return key
      open.at(-1)?.add(key)
    }
  }
  return undefined
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

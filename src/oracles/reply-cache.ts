import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { requireInput } from '../core/errors.ts'
import { isObject } from '../programs/messages.ts'

/** Replies that were paid for, by what was asked. */
export interface ReplyCache {
  get(request: string): string | undefined
  /** On disk when it returns. */
  keep(request: string, reply: string): void
}

/** Replies in a file, one a line; without one, for as long as the process lives. A line that was cut off by the end of a process is passed over. */
export function replyCache(path?: string): ReplyCache {
  const text = path === undefined || !existsSync(path) ? '' : readFileSync(path, 'utf8')
  const known = new Map(text.split('\n').flatMap(replyIn))
  const hint = 'Name another file with --oracle-cache; this one keeps something else.'
  requireInput(text === '' || known.size > 0, `${path}: replies that were kept are required, got something else`, hint)
  let gap = text === '' || text.endsWith('\n') ? '' : '\n'
  return {
    get: (request) => known.get(keyOf(request)),
    keep(request, reply) {
      known.set(keyOf(request), reply)
      if (path === undefined) return
      appendFileSync(path, `${gap}${JSON.stringify({ request: keyOf(request), reply, time: new Date().toISOString() })}\n`)
      gap = ''
    },
  }
}

const keyOf = (request: string) => createHash('sha256').update(request).digest('hex')

function replyIn(line: string): [request: string, reply: string][] {
  try {
    const kept: unknown = JSON.parse(line)
    return isObject(kept) && typeof kept.request === 'string' && typeof kept.reply === 'string'
      ? [[kept.request, kept.reply]]
      : []
  } catch {
    return []
  }
}

import type { Event } from '../../protocol/events.ts'
import { fetchKnown } from './secret.ts'

/** A stream of events that is open. */
export interface EventSource {
  onEvent: ((event: Event) => void) | undefined
  onLost: (() => void) | undefined
  close(): void
}

/** Server-sent events as the browser reads them, by requests of ours: the browser's own bring cookies only. */
export function openEvents(path: string): EventSource {
  const end = new AbortController()
  const source: EventSource = { onEvent: undefined, onLost: undefined, close: () => end.abort() }
  follow(path, end.signal, (event) => source.onEvent?.(event)).finally(() => end.signal.aborted || source.onLost?.())
  return source
}

/** Ends when the stream does, for whatever reason. */
async function follow(path: string, signal: AbortSignal, tell: (event: Event) => void): Promise<void> {
  try {
    const { ok, body } = await fetchKnown(path, { signal })
    if (!ok || !body) return
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const parts = (rest + read.value).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) if (part.startsWith('data: ')) tell(JSON.parse(part.slice('data: '.length)) as Event)
    }
  } catch (error) {
    if (error instanceof SyntaxError) throw error // of ours
  }
}

import { clipText } from './width.ts'

/** One line that is written over again and again. Silent where the stream is no terminal. */
export interface LiveLine {
  show(text: string): void
  clear(): void
}

export function liveLine(stream: NodeJS.WriteStream = process.stderr): LiveLine {
  if (stream.isTTY !== true) return { show() {}, clear() {} }
  const erase = '\r\u001b[2K'
  return {
    show: (text) => void stream.write(erase + clipText(text, stream.columns - 1)),
    clear: () => void stream.write(erase),
  }
}

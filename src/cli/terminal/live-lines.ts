import { clipText } from './width.ts'

/** A few lines that are written over again and again. Silent where the stream is no terminal. */
export interface LiveLines {
  show(lines: readonly string[]): void
  clear(): void
}

/** What is at the bottom of the screen: never more lines than fit, and "+ 7 more" where there are. */
export function liveLines(stream: NodeJS.WriteStream = process.stderr): LiveLines {
  if (stream.isTTY !== true) return { show() {}, clear() {} }
  let shown = 0
  const erase = () => `\r\u001b[2K${'\u001b[1A\u001b[2K'.repeat(Math.max(0, shown - 1))}`
  return {
    show(lines) {
      const fitting = linesThatFit(lines, (stream.rows ?? 24) - 1)
      const text = fitting.map((line) => clipText(line, (stream.columns ?? 80) - 1)).join('\n')
      stream.write(erase() + text)
      shown = fitting.length
    },
    clear() {
      stream.write(erase())
      shown = 0
    },
  }
}

/** The first lines, and how many more there are. */
export function linesThatFit(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= Math.max(1, most)) return lines
  const kept = Math.max(1, most - 1)
  return [...lines.slice(0, kept), ...(most > 1 ? [`+ ${lines.length - kept} more`] : [])]
}

import { visible, visibleJson, visibleLines } from '../../text/visible.ts'

/** Says a text, or lines: of a line, what would begin another one is escaped too. */
export function say(text: string | readonly string[]): void {
  sayDrawn(typeof text === 'string' ? visibleLines(text) : text.map(visible).join('\n'))
}

/** Says what was drawn, with its colours: all that came from elsewhere is visible in it already. */
export function sayDrawn(drawing: string): void {
  process.stdout.write(`${drawing}\n`)
}

/** Writes one JSON object a line on stdout, `type` first, nothing else: what programs read. */
export function writeLine(type: 'round' | 'result' | 'progress' | 'error', content: object): void {
  sayDrawn(visibleJson(JSON.stringify({ type, ...content })))
}

/** Says what a command came to: in JSON where a program asked, in words otherwise. */
export function sayResult({ json }: { readonly json?: boolean }, result: object, words: string | readonly string[]): void {
  if (json) writeLine('result', result)
  else say(words)
}

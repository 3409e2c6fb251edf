export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Writes one JSON object a line on stdout, `type` first, nothing else: what programs read. */
export function writeLine(type: 'round' | 'result' | 'progress' | 'error', content: object): void {
  say(JSON.stringify({ type, ...content }))
}

/** Says what a command came to: in JSON where a program asked, in words otherwise. */
export function sayResult({ json }: { readonly json?: boolean }, result: object, words: string): void {
  if (json) writeLine('result', result)
  else say(words)
}

import type { Contents } from './oracle.ts'

/** One point, as a program or service is asked about it: JSON on one line, in ASCII. */
export interface OracleRequest {
  readonly id: string
  readonly text: string
}

const atOnce = 100 // contents in memory, however large the round

/** `{"id": …, "fields": {…}, "classes": […]}` for each of the points; where answers are grades, `"range"` in place of the classes. */
export async function* questionsFor(
  ids: readonly string[],
  {
    classes,
    range,
    contents,
  }: {
    readonly classes: readonly string[]
    readonly range?: readonly [number, number] | undefined
    readonly contents: Contents
  },
): AsyncGenerator<OracleRequest, void> {
  const asked = range ? { range } : { classes }
  for (let start = 0; start < ids.length; start += atOnce) {
    for (const { id, fields } of await contents(ids.slice(start, start + atOnce))) {
      yield { id, text: inAscii(JSON.stringify({ id, fields, ...asked })) }
    }
  }
}

/** Escapes the rest, so that neither the encoding nor what a reader takes for the end of a line (Node's readline: U+2028 too) matters. */
const inAscii = (json: string) =>
  json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

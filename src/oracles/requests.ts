import { messageText } from '../programs/messages.ts'
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
  yield* inPortions(ids, contents, ({ id, fields }) => messageText({ id, fields, ...asked }))
}

/** A request for each of the points, whose contents are read a few at a time. */
export async function* inPortions(
  ids: readonly string[],
  contents: Contents,
  textOf: (point: { readonly id: string; readonly fields: Readonly<Record<string, string>> }) => string,
): AsyncGenerator<OracleRequest, void> {
  for (let start = 0; start < ids.length; start += atOnce)
    for (const point of await contents(ids.slice(start, start + atOnce))) yield { id: point.id, text: textOf(point) }
}

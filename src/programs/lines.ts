const newline = 10

/** The lines of a stream of bytes, without their ends, the last one with or without. Throws `tooLong()` past `limit` bytes. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
  tooLong: () => Error,
): AsyncGenerator<Uint8Array, void> {
  let begun: Uint8Array[] = []
  let length = 0
  const add = (part: Uint8Array) => {
    length += part.length
    if (length > limit) throw tooLong()
    begun.push(part)
  }
  const take = () => {
    const line = Buffer.concat(begun)
    begun = []
    length = 0
    return line
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      add(chunk.subarray(start, end))
      yield take()
      start = end + 1
    }
    add(chunk.subarray(start))
  }
  if (length > 0) yield take()
}

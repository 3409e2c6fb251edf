const magic = 0x184d2204
const stored = 0x80000000 // the bit of a block that is not compressed

/**
 * The contents of an LZ4 frame, of which the length is known. Node.js has no LZ4 and the packages for it are native or abandoned.
 * Anything that is no such frame throws a RangeError. Checksums are optional in the format, and passed over.
 * @see https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
 */
export function unpackLz4(frame: Uint8Array, length: number): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  if (view.getUint32(0, true) !== magic) throw new RangeError('not an LZ4 frame')
  const flags = view.getUint8(4)
  const hasBlockChecksums = (flags & 0x10) !== 0
  let at = 7 + ((flags & 0x08) !== 0 ? 8 : 0) + ((flags & 0x01) !== 0 ? 4 : 0) // content size, dictionary id

  const contents = new Uint8Array(length)
  let filled = 0
  for (;;) {
    const size = view.getUint32(at, true)
    at += 4
    if (size === 0) break
    const end = at + (size & ~stored)
    if (end > frame.length) throw new RangeError('an LZ4 block ends after its frame')
    const block = frame.subarray(at, end)
    if (size >= stored) contents.set(block, filled)
    filled = size >= stored ? filled + block.length : unpackBlock(block, contents, filled)
    at = end + (hasBlockChecksums ? 4 : 0)
  }
  if (filled !== length) throw new RangeError(`expected ${length} bytes in an LZ4 frame, got ${filled}`)
  return contents
}

/** Unpacks a block to where `to` is filled so far, and returns where it is filled then. Blocks may copy from those before them. */
function unpackBlock(block: Uint8Array, to: Uint8Array, filled: number): number {
  let at = 0
  /** Lengths of 15 or more go on in bytes, up to the first that is not 255. */
  const lengthFrom = (nibble: number): number => {
    if (nibble < 15) return nibble
    let sum = 15
    for (let byte = 255; byte === 255; sum += byte) byte = block[at++] ?? 0
    return sum
  }

  while (at < block.length) {
    const token = block[at++]!
    const literals = lengthFrom(token >>> 4)
    if (at + literals > block.length || filled + literals > to.length) throw new RangeError('an LZ4 block has too few bytes')
    for (let k = 0; k < literals; k++) to[filled++] = block[at++]!
    if (at === block.length) break // the last sequence has literals only

    const distance = block[at]! | (block[at + 1]! << 8)
    at += 2
    const length = 4 + lengthFrom(token & 15)
    if (distance === 0 || distance > filled || filled + length > to.length)
      throw new RangeError('an LZ4 block copies from nowhere')
    for (let k = 0; k < length; k++, filled++) to[filled] = to[filled - distance]! // byte by byte: the two may overlap
  }
  return filled
}

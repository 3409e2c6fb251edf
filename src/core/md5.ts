import { utf8ToBytes } from '@noble/hashes/utils.js'

// RFC 1321: what each step adds, and how far it rotates.
const addends = Int32Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32))
const rotations = Uint8Array.from(
  { length: 64 },
  (_, i) => [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21][4 * (i >> 4) + (i & 3)]!,
)

let words = new Int32Array(16) // the text with its padding; little endian, as is every machine we run on
let bytes = new Uint8Array(words.buffer)

/**
 * MD5 of a text in UTF-8, as four little-endian words. What `@noble/hashes` gives in a tenth of the time, because nothing is
 * made anew: every id of a pool is hashed before the first draw.
 */
export function md5Into(hash: Int32Array, text: string): void {
  const length = write(text)
  hash[0] = 0x67452301
  hash[1] = 0xefcdab89
  hash[2] = 0x98badcfe
  hash[3] = 0x10325476
  for (let start = 0; start < length; start += 16) addBlock(hash, words, start)
}

/** Writes a text, a one bit, zeros, and how many bits the text has. Returns the number of words: a multiple of 16. */
function write(text: string): number {
  let size = text.length
  makeRoom(size)
  let units = 0
  for (let i = 0; i < size; i++) {
    const unit = text.charCodeAt(i)
    bytes[i] = unit
    units |= unit
  }
  if (units > 0x7f) {
    const encoded = utf8ToBytes(text)
    size = encoded.length
    makeRoom(size)
    bytes.set(encoded)
  }
  const length = paddedLength(size)
  bytes.fill(0, size, 4 * length)
  bytes[size] = 0x80
  words[length - 2] = 8 * size
  words[length - 1] = size / 2 ** 29
  return length
}

const paddedLength = (size: number) => 16 * (((size + 8) >>> 6) + 1)

function makeRoom(size: number): void {
  if (paddedLength(size) <= words.length) return
  words = new Int32Array(2 * paddedLength(size))
  bytes = new Uint8Array(words.buffer)
}

function addBlock(hash: Int32Array, words: Int32Array, start: number): void {
  let a = hash[0]!
  let b = hash[1]!
  let c = hash[2]!
  let d = hash[3]!
  for (let i = 0; i < 64; i++) {
    let mixed: number
    let word: number
    if (i < 16) {
      mixed = (b & c) | (~b & d)
      word = i
    } else if (i < 32) {
      mixed = (d & b) | (~d & c)
      word = (5 * i + 1) & 15
    } else if (i < 48) {
      mixed = b ^ c ^ d
      word = (3 * i + 5) & 15
    } else {
      mixed = c ^ (b | ~d)
      word = (7 * i) & 15
    }
    const sum = (a + mixed + addends[i]! + words[start + word]!) | 0
    a = d
    d = c
    c = b
    b = (b + ((sum << rotations[i]!) | (sum >>> (32 - rotations[i]!)))) | 0
  }
  hash[0]! += a
  hash[1]! += b
  hash[2]! += c
  hash[3]! += d
}

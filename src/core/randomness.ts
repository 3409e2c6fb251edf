import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { requireInput } from './errors.ts'
import { md5Into } from './md5.ts'

/**
 * All randomness in the project is a hash:  u = uniform(seed, stream, id) ∈ (0, 1].
 *
 *   h = first 8 bytes of MD5(id), little endian             one 64-bit number a point, computed once
 *   k = first 8 bytes of SHA-256("alis:seed:stream")        one 64-bit number a round
 *   z = fmix64(h ⊕ k)                                       xor, shift, multiply: the same in JavaScript, WASM and SQL
 *   u = (⌊z / 2¹¹⌋ + 1) / 2⁵³                               all 53 bits, never 0
 *
 * So a draw depends on nothing but its seed, its purpose and its point: not on the order of the pool, on other
 * points, on the engine or on the number of threads. Why these hashes: docs/decisions/randomness.md.
 */
export function uniform(seed: number, stream: string, id: string): number {
  // A caller that asks for one number of a stream asks for the next: SHA-256 takes ten times as long as all the rest.
  if (latest?.seed !== seed || latest.stream !== stream) latest = { seed, stream, ...streamKey({ seed, name: stream }) }
  md5Into(hash, id)
  return unit(hash[0]! ^ latest.low, hash[1]! ^ latest.high)
}

let latest: { readonly seed: number; readonly stream: string; readonly low: number; readonly high: number } | undefined
const hash = new Int32Array(4)

/** Names one use of randomness: whose seed, and what for (`learn/7`, `audit/2`). Plain data: it goes into records and SQL. */
export interface Stream {
  readonly seed: number
  readonly name: string
}

/** The uniform number of a point, by index; `repeat` gives further, independent ones to the same point. */
export type Uniforms = (index: number, repeat?: number) => number

/** The 64-bit hashes of a pool's ids, as two columns of 32-bit words. */
export interface PointHashes {
  readonly low: Int32Array
  readonly high: Int32Array
}

export function hashIds(ids: readonly string[]): PointHashes {
  const low = new Int32Array(ids.length)
  const high = new Int32Array(ids.length)
  for (let i = 0; i < ids.length; i++) {
    md5Into(hash, ids[i]!)
    low[i] = hash[0]!
    high[i] = hash[1]!
  }
  return { low, high }
}

/** The uniforms of one stream for a pool given by its hashes. */
export function uniformsOf(stream: Stream, hashes: PointHashes): Uniforms {
  const keys = [streamKey(stream)]
  return (index, repeat = 0) => {
    while (keys.length <= repeat) keys.push(streamKey({ ...stream, name: `${stream.name}#${keys.length}` }))
    const key = keys[repeat]!
    return unit(hashes.low[index]! ^ key.low, hashes.high[index]! ^ key.high)
  }
}

/** Uniforms of one stream, one after another: for what has no points. */
export function sequenceOf(stream: Stream): () => number {
  const { low, high } = streamKey(stream)
  let count = 0
  return () => unit(count++ ^ low, high)
}

/** The 64-bit key of a stream: what an engine mixes into every point's hash. */
export function streamKey({ seed, name }: Stream): { low: number; high: number } {
  requireInput(
    Number.isSafeInteger(seed) && seed >= 0,
    `seed: must be a whole number from 0 to 2^53 − 1, got ${seed}`,
    'Leave it out to have one made for you.',
  )
  const { buffer, byteOffset } = sha256(utf8ToBytes(`alis:${seed}:${name}`))
  const view = new DataView(buffer, byteOffset)
  return { low: view.getInt32(0, true), high: view.getInt32(4, true) }
}

/** fmix64, the finaliser of MurmurHash3, and its top 53 bits as a number in (0, 1]. */
function unit(low: number, high: number): number {
  low ^= high >>> 1 // x ^= x >>> 33
  let carry = multiplyHigh(low, 0xed558ccd)
  high = (carry + Math.imul(high, 0xed558ccd) + Math.imul(low, 0xff51afd7)) | 0
  low = Math.imul(low, 0xed558ccd)

  low ^= high >>> 1
  carry = multiplyHigh(low, 0x1a85ec53)
  high = (carry + Math.imul(high, 0x1a85ec53) + Math.imul(low, 0xc4ceb9fe)) | 0
  low = Math.imul(low, 0x1a85ec53)

  low ^= high >>> 1
  return ((high >>> 0) * 2 ** 21 + (low >>> 11) + 1) * 2 ** -53
}

/** The upper 32 bits of the 64-bit product of two unsigned 32-bit words, from four 16-bit products. */
function multiplyHigh(a: number, b: number): number {
  const a0 = a & 0xffff
  const a1 = a >>> 16
  const b0 = b & 0xffff
  const b1 = b >>> 16
  const middle = a1 * b0 + ((a0 * b0) >>> 16)
  const cross = (middle & 0xffff) + a0 * b1
  return a1 * b1 + (middle >>> 16) + (cross >>> 16)
}

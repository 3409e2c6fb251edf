import { bls12_381 } from '@noble/curves/bls12-381.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { quicknet } from './drand-rounds.ts'

/**
 * Whether the network signed the number of a round, with a key that its members hold together: a BLS signature over SHA-256 of the number, on the
 * shorter curve (RFC 9380). There is one for each round, and it does not exist before the round.
 */
export function isOfRound(round: number, signature: string): boolean {
  if (!Number.isSafeInteger(round) || round < 1 || !/^[0-9a-f]{96}$/.test(signature)) return false
  const { hash, verify } = bls12_381.shortSignatures
  const number = new Uint8Array(8)
  new DataView(number.buffer).setBigUint64(0, BigInt(round))
  try {
    return verify(hexToBytes(signature), hash(sha256(number)), hexToBytes(quicknet.key))
  } catch {
    return false // bytes that are no point of the curve
  }
}

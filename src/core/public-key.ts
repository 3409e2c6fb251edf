import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'

/** A public key as it is written: 32 bytes in hexadecimal. */
const keyText = /^ed25519:([0-9a-f]{64})$/

export const keyOf = (bytes: Uint8Array): string => `ed25519:${bytesToHex(bytes)}`

export const isKey = (text: string): boolean => keyText.test(text)

export const bytesOfKey = (key: string): Uint8Array => hexToBytes(keyText.exec(key)![1]!)

/** What people compare in place of a key: half of its SHA-256, in groups of four. */
export function fingerprintOf(key: string): string {
  const digest = bytesToHex(sha256(bytesOfKey(key))).slice(0, 32)
  return digest.replace(/(.{4})(?=.)/g, '$1 ')
}

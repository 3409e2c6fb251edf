import { ed25519 } from '@noble/curves/ed25519.js'
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { bytesOfKey, isKey } from './public-key.ts'

/** Whether the holder of a key signed a text (RFC 8032, strictly: one signature of a text by a key, and no weak keys). */
export function isSignedBy(key: string, signature: string, text: string): boolean {
  if (!isKey(key) || !/^[0-9a-f]{128}$/.test(signature)) return false
  try {
    return ed25519.verify(hexToBytes(signature), utf8ToBytes(text), bytesOfKey(key), { zip215: false })
  } catch {
    return false // bytes that are no point of the curve
  }
}

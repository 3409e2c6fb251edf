import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** The identity of a content: the SHA-256 of its JSON. */
export function identityOf(content: unknown): string {
  return `sha256:${bytesToHex(sha256(utf8ToBytes(JSON.stringify(content))))}`
}

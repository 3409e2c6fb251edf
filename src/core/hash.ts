import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** The identity of a content: the SHA-256 of its JSON. */
export function identityOf(content: unknown): string {
  return `sha256:${bytesToHex(sha256(utf8ToBytes(JSON.stringify(content))))}`
}

/** The SHA-256 of lines, each the JSON of one value. `add` as often as there are more of them. */
export function linesHash() {
  const hash = sha256.create()
  return {
    add: (values: readonly unknown[]): void => void hash.update(utf8ToBytes(linesOf(values))),
    digest: () => `sha256:${bytesToHex(hash.digest())}`,
  }
}

export const linesOf = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')

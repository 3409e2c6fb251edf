import { isSignedBy } from '../core/ed25519.ts'
import { fingerprintOf } from '../core/public-key.ts'
import { isKeyNamed, isSignerName, type Signable, signedText } from './signature.ts'

/** What is wrong with the signature under a seal, if there is one; `wanted`: the key that it must be of, or its fingerprint. */
export function signatureFault({ seal, signature }: Signable, wanted?: string): string | undefined {
  if (signature === undefined)
    return wanted === undefined ? undefined : `signature: one by ${wanted} is required, got none: nobody signed it`
  const { by, key, value, ...others } = signature
  const isWhole =
    Object.keys(others).length === 0 && [by, key, value].every((part) => typeof part === 'string') && isSignerName(by)
  if (!isWhole) return 'signature: a name, a key and a value are required, got something else'
  if (!isSignedBy(key, value, signedText(seal, by)))
    return `signature: must be made with ${key} under this seal and name, got one that is not`
  if (wanted !== undefined && !isKeyNamed(key, wanted))
    return `signature: one by ${wanted} is required, got one by ${key}, fingerprint ${fingerprintOf(key)}`
  return undefined
}

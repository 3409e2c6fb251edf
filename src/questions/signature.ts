import { pick } from '../core/pick.ts'
import { fingerprintOf, isKey } from '../core/public-key.ts'

/** Who vouches for a certificate: not under its seal, which it signs. */
export interface Signature {
  /** What they call themselves. The key alone says who they are. */
  readonly by: string
  /** Their public key. */
  readonly key: string
  readonly value: string
}

/** The holder of a key. */
export interface Signer extends Omit<Signature, 'value'> {
  sign(text: string): string
}

/** What is sealed, and signed or not. */
export interface Signable {
  readonly seal: string
  readonly signature?: Signature
}

/** What is signed: what it is, the seal, and the name that goes with it. */
export const signedText = (seal: string, by: string): string => JSON.stringify(['alis certificate', seal, by])

export function signed<T extends Signable>(sealed: T, { by, key, sign }: Signer): T & { readonly signature: Signature } {
  return { ...sealed, signature: { by, key, value: sign(signedText(sealed.seal, by)) } }
}

/** Names are shown on pages and in terminals. */
export const isSignerName = (name: string): boolean =>
  name !== '' && name === name.trim() && name.length <= 100 && !/\p{C}/u.test(name)

/** A public key, or a fingerprint however it is grouped. */
export const isKeyOrFingerprint = (text: string): boolean => isKey(text) || /^[0-9a-f]{32}$/.test(plain(text))

/** Whether a key is the one that is meant by itself, or by its fingerprint. */
export const isKeyNamed = (key: string, wanted: string): boolean => key === wanted || plain(fingerprintOf(key)) === plain(wanted)

const plain = (fingerprint: string) => fingerprint.replace(/[\s:-]/g, '').toLowerCase()

/** Who signed, in a few words. */
export function signerWords(signature: Signature | undefined): string {
  return signature ? `“${signature.by}”, key ${fingerprintOf(signature.key)}` : 'nobody'
}

/** The same for programs. */
export const signerFacts = (signature: Signature) => ({
  ...pick(signature, 'by', 'key'),
  fingerprint: fingerprintOf(signature.key),
})

/** What a signature says, and what it does not. */
export const signatureWords =
  'Its signature says that whoever holds the key vouches for it, word for word. The name is what they call themselves; that the answers are right, or that no other audit was made, it does not say.'

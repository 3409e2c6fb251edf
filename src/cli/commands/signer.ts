import { keyIfPossible } from '../../projects/signing-key.ts'
import { type Signer, signerWords } from '../../questions/signature.ts'

/** Who signs a certificate, and what is said of that before the first question. */
export interface Signing {
  readonly signer?: Signer
  readonly says: readonly string[]
}

/** `isKept`: whether there will be a certificate that outlives the command. */
export function signing({ sign }: { readonly sign: boolean }, isKept: boolean): Signing {
  if (!sign || !isKept) return { says: [] }
  const key = keyIfPossible()
  if ('missing' in key) return { says: [`The certificate will not be signed: ${key.missing}`] }
  const own = signerWords({ ...key, value: '' })
  return { signer: key, says: [key.isNew ? `made a key to sign with, in ${key.path}: ${own}` : `to be signed by ${own}`] }
}

import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey, randomUUID, sign } from 'node:crypto'
import { chmodSync, linkSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { AlisError, requireInput } from '../core/errors.ts'
import { keyOf } from '../core/public-key.ts'
import { isSignerName, type Signer } from '../questions/signature.ts'
import { userFolder } from './user-folder.ts'

/** A key that certificates are signed with, and the file of this user that holds it. Never in a project: every copy of one would hold it too. */
export interface SigningKey extends Signer {
  readonly path: string
  /** Whether it was made just now. */
  readonly isNew: boolean
}

/** What is in the file: RFC 8037. */
interface KeyFile {
  readonly name: string
  readonly key: JsonWebKey
}

const keyPath = (folder: string): string => join(folder, 'key.json')

/** The key of this user, made if there is none. `name`: what they call themselves from now on. */
export function signingKey({
  folder = userFolder(),
  name,
}: {
  readonly folder?: string
  readonly name?: string
} = {}): SigningKey {
  if (name !== undefined) requireName(name)
  const path = keyPath(folder)
  const known = readKey(path)
  const file = known ?? makeKey(path, name ?? ownName())
  if (name === undefined || name === file.name) return keyIn(path, file, !known)
  const renamed = { ...file, name }
  write(path, renamed, renameSync)
  return keyIn(path, renamed, !known)
}

function keyIn(path: string, { name, key }: KeyFile, isNew: boolean): SigningKey {
  const secret = createPrivateKey({ key, format: 'jwk' })
  const { x } = createPublicKey(secret).export({ format: 'jwk' })
  return {
    by: name,
    key: keyOf(Buffer.from(x!, 'base64url')),
    sign: (text) => sign(null, Buffer.from(text), secret).toString('hex'),
    path,
    isNew,
  }
}

function readKey(path: string): KeyFile | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return undefined
  requireInput(found.isFile(), `${path}: must be a file with a key, got something else`, 'A link could lead anywhere: remove it.')
  requireInput(
    process.platform === 'win32' || (found.mode & 0o077) === 0,
    `${path}: must be readable by you alone, got mode ${(found.mode & 0o777).toString(8)}`,
    `Others may have read it: remove it, and another key is made; or chmod 600 ${path} if you know that nobody did.`,
  )
  try {
    const file = JSON.parse(readFileSync(path, 'utf8')) as KeyFile
    requireName(file.name)
    keyIn(path, file, false)
    return file
  } catch (error) {
    if (error instanceof AlisError) throw error
    const hint =
      'Put a copy of it back. Without it, certificates of before can still be verified, and another key signs new ones.'
    throw new AlisError('bad-input', `${path}: must hold a key, got something else`, hint, { cause: error })
  }
}

/** Of several processes that make a key at once, one does, and all have that. */
function makeKey(path: string, name: string): KeyFile {
  const { privateKey } = generateKeyPairSync('ed25519')
  try {
    write(path, { name, key: privateKey.export({ format: 'jwk' }) }, linkSync)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readKey(path)!
}

/** The whole file or none of it, and never readable by other users. */
function write(path: string, file: KeyFile, place: (draft: string, path: string) => void): void {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const draft = join(folder, `${randomUUID()}.draft`)
  try {
    writeFileSync(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })
    place(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

function ownName(): string {
  try {
    return userInfo().username || 'somebody'
  } catch {
    return 'somebody' // a user without an entry, as containers have
  }
}

/** Names are shown on pages and in terminals. */
function requireName(name: string): void {
  requireInput(
    typeof name === 'string' && isSignerName(name),
    `name: up to 100 letters are required, got ${JSON.stringify(name)}`,
    'It goes on certificates, beside the key.',
  )
}

/** The key to sign with, or why there is none: an unsigned certificate is a certificate all the same. */
export function keyIfPossible(): SigningKey | { readonly missing: string } {
  try {
    return signingKey()
  } catch (error) {
    return { missing: (error as Error).message }
  }
}

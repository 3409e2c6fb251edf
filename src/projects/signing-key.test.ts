import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isSignedBy } from '../core/ed25519.ts'
import { keyOf } from '../core/public-key.ts'
import { signed } from '../questions/signature.ts'
import { signatureFault } from '../questions/signature-fault.ts'
import { signingKey } from './signing-key.ts'

const place = mkdtempSync(join(tmpdir(), 'alis-key-'))
afterAll(() => rmSync(place, { recursive: true }))
let folders = 0
const newFolder = () => join(place, `${folders++}`, 'alis')

describe('the key of a user', () => {
  it('is made once, for this user alone, and nothing else is left beside it', () => {
    const folder = newFolder()
    const first = signingKey({ folder })
    const again = signingKey({ folder })
    expect([first.isNew, again.isNew]).toEqual([true, false])
    expect(again.key).toBe(first.key)
    expect(first.sign('a')).toBe(again.sign('a'))
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(first.path).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['key.json'])
    expect(readFileSync(first.path, 'utf8')).not.toContain(first.key.slice(8))
  })

  it('keeps its secret when its name changes', () => {
    const folder = newFolder()
    const before = signingKey({ folder })
    const after = signingKey({ folder, name: 'Ada Lovelace' })
    expect(after).toMatchObject({ by: 'Ada Lovelace', key: before.key })
    expect(signingKey({ folder }).by).toBe('Ada Lovelace')
    expect(statSync(after.path).mode & 0o777).toBe(0o600)
  })

  it('is one key where several processes make it at once', () => {
    const folder = newFolder()
    const program = `import { signingKey } from ${JSON.stringify(new URL('./signing-key.ts', import.meta.url).href)}
      console.log(signingKey({ folder: ${JSON.stringify(folder)} }).key)`
    const both = `node --input-type=module-typescript -e "$P" & node --input-type=module-typescript -e "$P"; wait`
    const said = execFileSync('sh', ['-c', both.replaceAll('node ', `'${process.execPath}' `)], {
      env: { ...process.env, P: program },
    })
    const keys = said.toString().trim().split('\n')
    expect(keys).toEqual([keys[0], keys[0]])
  })

  it.each<[string, (path: string) => void, RegExp]>([
    ['others may read', (path) => chmodSync(path, 0o644), /must be readable by you alone, got mode 644/],
    ['is a link', (path) => linkInstead(path), /must be a file with a key, got something else/],
    [
      'was cut short',
      (path) => writeFileSync(path, readFileSync(path, 'utf8').slice(0, 60)),
      /must hold a key, got something else/,
    ],
    ['has a name with an escape in it', (path) => rename(path, '\u001b[2Jme'), /name: up to 100 letters are required/],
  ])('is refused if it %s', (_, spoil, message) => {
    const { path } = signingKey({ folder: newFolder() })
    spoil(path)
    expect(() => signingKey({ folder: join(path, '..') })).toThrow(message)
  })

  const rename = (path: string, name: string) =>
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), name }))

  function linkInstead(path: string): void {
    const other = join(place, `${folders++}.json`)
    writeFileSync(other, readFileSync(path), { mode: 0o600 })
    rmSync(path)
    symlinkSync(other, path)
  }
})

describe('a signature', () => {
  // RFC 8032, 7.1, tests 1 and 2.
  it.each([
    [
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      '',
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ],
    [
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
      'r',
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ],
  ])('of the standard by %s is one', (key, text, value) => {
    expect(isSignedBy(`ed25519:${key}`, value, text)).toBe(true)
    expect(isSignedBy(`ed25519:${key}`, value, `${text}.`)).toBe(false)
  })

  it('by a key that fits every text is none', () => {
    const neutral = `01${'00'.repeat(31)}` // of order 1
    expect(isSignedBy(keyOf(Buffer.from(neutral, 'hex')), neutral + '00'.repeat(32), 'whatever')).toBe(false)
  })

  const [mine, other] = [signingKey({ folder: newFolder(), name: 'Ada' }), signingKey({ folder: newFolder(), name: 'Eve' })]
  const certificate = signed({ seal: 'sha256:01' }, mine)
  const { signature } = certificate

  it('holds for its seal, its name and its key alone', () => {
    expect(signatureFault(certificate)).toBeUndefined()
    for (const spoilt of [
      { seal: 'sha256:02', signature },
      { ...certificate, signature: { ...signature, by: 'Eve' } },
      { ...certificate, signature: { ...signature, key: other.key } },
      { ...certificate, signature: { ...signature, value: signature.value.replace(/^./, (c) => (c === '0' ? '1' : '0')) } },
      { ...certificate, signature: { ...signature, value: signature.value.toUpperCase() } },
      { ...certificate, signature: { ...signature, also: 'this' } },
    ])
      expect(signatureFault(spoilt)).toMatch(/^signature: /)
  })

  it('can be required to be of one key, by that or by its fingerprint', () => {
    expect(signatureFault(certificate, mine.key)).toBeUndefined()
    expect(signatureFault(certificate, other.key)).toContain(`got one by ${mine.key}`)
    expect(signatureFault({ seal: 'sha256:01' }, mine.key)).toContain('got none')
    expect(signatureFault(signed(certificate, other), mine.key)).toContain(`got one by ${other.key}`)
  })
})

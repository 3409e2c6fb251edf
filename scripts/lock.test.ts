import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

interface Locked {
  readonly integrity?: string
  readonly resolved?: string
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}

const text = readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')
const { '': _, ...packages } = (JSON.parse(text) as { packages: Record<string, Locked> }).packages

it('the lock file has the hash of whatever is installed here, and no addresses', () => {
  const isHere = ({ os, cpu }: Locked) => (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true)
  for (const [path, locked] of Object.entries(packages)) {
    expect([path, locked.resolved]).toEqual([path, undefined])
    if (locked.integrity !== undefined) expect(locked.integrity).toMatch(/^sha512-[\w+/]+={0,2}$/)
    else expect([path, locked.optional, isHere(locked)]).toEqual([path, true, false])
  }
})

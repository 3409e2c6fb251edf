// Certificates as they were written, of every format that ever was: they stay here for good, and are verified or refused as is said.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { alisHere } from './in-process.ts'

const folder = join(import.meta.dirname, 'golden', 'certificates')
const pool = join(folder, 'pool.csv')
const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
const verify = (name: string) => alisHere(['verify', join(folder, name), '--pool', pool, '--json'])

describe('a certificate of before', () => {
  it.each(names.filter((name) => !name.startsWith('1-')))('%s is verified', async (name) => {
    const { code, stdout, stderr } = await verify(name)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout).verified).toBe(true)
  })

  it('of format 1 is refused, with the release that verifies it', async () => {
    const { code, stderr } = await verify('1-error.json')
    expect(code).toBe(2)
    expect(stderr).toContain('It was written by release 0.1, which verifies it')
  })
})

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { float64, tableFromArrays, tableToIPC } from '@uwdata/flechette'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openTable } from '../../src/sources/duckdb-file.ts'
import { pathOf, useFolder } from './folder.ts'

useFolder()
afterEach(() => vi.unstubAllEnvs())

const rows = 200_000
const files = {
  csv: () => ({ 'pool.csv': `id,x\n${Array.from({ length: rows }, (_, i) => `${i},${i % 3}`).join('\n')}\n` }),
  jsonl: () => ({ 'pool.jsonl': Array.from({ length: rows }, (_, i) => `{"id":"${i}","x":${i % 3}}\n`).join('') }),
  arrow: () => {
    const columns = {
      id: Float64Array.from({ length: rows }, (_, i) => i),
      x: Float64Array.from({ length: rows }, (_, i) => i % 3),
    }
    return {
      'pool.arrow': tableToIPC(tableFromArrays(columns, { types: { id: float64(), x: float64() }, maxBatchRows: 5000 }), {
        format: 'file',
      })!,
    }
  },
}

describe.each(Object.keys(files) as (keyof typeof files)[])('opening a large file of %s', (format) => {
  it('says how far it is, from nothing to all, and what it is doing', async () => {
    const heard: [share: number, step: string][] = []
    const table = await openTable(await pathOf(files[format]()), { progress: (share, step) => heard.push([share, step]) })
    await table.close()
    const shares = heard.map(([share]) => share)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares[0]).toBeLessThan(0.2)
    expect(shares.at(-1)).toBe(1)
    expect(shares.length).toBeGreaterThan(20)
    const steps = new Set(heard.map(([, step]) => step))
    expect(steps).toContain('counting')
    expect(steps.has('preparing')).toBe(format !== 'csv')
  })

  it.each(format === 'csv' ? ['looking', 'counting'] : ['preparing', 'looking', 'counting'])(
    'stops while it is %s, and leaves nothing behind',
    async (when) => {
      const path = await pathOf({ ...files[format](), 'temporary/keep': '' })
      vi.stubEnv('TMPDIR', join(path, '..', 'temporary'))
      const stop = new AbortController()
      const reason = new Error('enough')
      const opening = openTable(path, {
        signal: stop.signal,
        progress: (_, step) => {
          if (step === when) stop.abort(reason)
        },
      })
      await expect(opening).rejects.toBe(reason)
      expect(await readdir(join(path, '..', 'temporary'))).toEqual(['keep'])
    },
  )
})

it('does not begin once it has been told to stop, and hears nothing of it when it is open', async () => {
  const path = await pathOf('a\n1\n2\n')
  await expect(openTable(path, { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no')
  const stop = new AbortController()
  const table = await openTable(path, { signal: stop.signal })
  stop.abort()
  expect(await table.strings('a')).toEqual(['1', '2'])
  await table.close()
})

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { execute } from '../command.ts'
import { folder, write } from './pools.ts'

const features = 64
const limit = 2 ** 26

async function round(rows: number): Promise<{ points: number; draws: number; returned: number; taken: number; bytes: number }> {
  const path = join(folder, `${rows}.parquet`)
  const numbers = Array.from({ length: features }, (_, j) => `(hash(i, ${j}) / 2.0 ** 63 - 1)::FLOAT AS f${j}`)
  await write(`COPY (SELECT 'p' || i AS id, ${numbers} FROM range(${rows}) AS t(i)) TO '${path}' (ROW_GROUP_SIZE 20480)`)
  const script = fileURLToPath(new URL('./limited.ts', import.meta.url))
  const { code, stdout, stderr } = await execute(process.execPath, [script, path, `${features}`, `${limit}`])
  expect([code, stderr]).toEqual([0, ''])
  return { ...JSON.parse(stdout), bytes: statSync(path).size }
}

it('draws from a pool several times the memory it may use, and is answered as much as from a small one', async () => {
  const small = await round(20_000)
  const large = await round(1_000_000)
  expect(large).toMatchObject({ points: 1_000_000, draws: 50 })
  expect(large.bytes).toBeGreaterThan(3.5 * limit)
  // What DuckDB counts stays below the limit; threads, plans and our own heap come on top, whatever the size of the pool.
  expect(large.taken).toBeLessThan(limit + 100 * 2 ** 20)
  // Draws, sums and at most 512 bins: bins that no point of a small pool is in make the only difference.
  expect(large.returned).toBeLessThan(8 * (5 * 512 + 50 * 5 + 100))
  expect(large.returned / small.returned).toBeLessThan(1.5)
})

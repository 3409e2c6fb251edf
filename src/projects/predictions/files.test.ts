import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { hashIds } from '../../core/randomness.ts'
import { predictionsOnDisk } from './duckdb.ts'
import { predictionsInMemory } from './memory.ts'
import { describePredictions } from './predictions.contract.ts'
import type { PredictionReading } from './predictions.ts'
import { type ContractRow, contractRows as rows } from './rows.contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-predictions-'))
afterAll(() => rmSync(folder, { recursive: true }))

const quoted = (cell: string | number) => `"${`${cell}`.replaceAll('"', '""')}"`
const path = join(folder, 'predictions.csv')
writeFileSync(path, [Object.keys(rows[0]!), ...rows.map(Object.values)].map((cells) => cells.map(quoted).join()).join('\n'))
const columns = { id: 'id', prediction: 'label', confidence: 'p', truth: 'y' } as const
const onDisk = (reading: PredictionReading) => predictionsOnDisk(path, reading, {}, { memory: 2 ** 28 })

describePredictions('in memory', (reading) => predictionsInMemory(path, reading))
describePredictions('on disk', onDisk)

/** Rows in the order of their hashes, taken as 64-bit numbers; one line of JSON each. */
function hashOf(line: (row: ContractRow) => unknown[]): string {
  const key = ({ id }: { id: string }) => {
    const { low, high } = hashIds([id])
    return (BigInt(high[0]!) << 32n) + BigInt(low[0]!)
  }
  const sorted = rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
  return `sha256:${createHash('sha256')
    .update(sorted.map((row) => `${JSON.stringify(line(row))}\n`).join(''))
    .digest('hex')}`
}

it.each([
  ['in memory', (reading: PredictionReading) => predictionsInMemory(path, reading)],
  ['on disk', onDisk],
])('gives pool and model the hashes that certificates have, %s', async (_, read) => {
  const expectModel = async (reading: PredictionReading, line: (row: ContractRow) => unknown[]) => {
    const { model, poolHash, close } = await read(reading)
    expect(poolHash).toBe(hashOf(({ id }) => [id]))
    expect(model).toBe(hashOf(line))
    await close()
  }
  const { confidence: __, prediction, ...bare } = columns
  await expectModel({ ...columns, against: 'old', by: ['lang'] }, ({ id, label, p }) => [id, label, 1 - p])
  await expectModel({ ...bare, prediction }, ({ id, label }) => [id, label, null])
  await expectModel({ ...bare, models: ['old', 'label'] }, ({ id, old, label }) => [id, old, label])
  await expectModel({ id: 'id', score: 'grade', range: [1, 5] }, ({ id, grade }) => [id, grade])
})

it.each([
  [{ confidence: 'text' }, /column "text" must hold finite 32-bit numbers, got "a cat" in row 1/],
  [{ prediction: 'note' }, /note: every row needs a prediction, got none in row 2/],
  [{ confidence: 'big' }, /big: a number in \[0, 1\] is required, got 90 in row 2/],
  [{ id: 'label' }, /label: ids must be unique, got "cat" in rows 1 and 3/],
  [{ id: 'note' }, /note: every row needs an id, got none in row 2/],
])('names column and row of %o', async (change, message) => {
  await expect(predictionsInMemory(path, { ...columns, ...change })).rejects.toThrow(message)
})

it('names the point on disk, where rows have no number', async () => {
  await expect(onDisk({ ...columns, prediction: 'note' })).rejects.toThrow(/got none for "two \\"2\\""/)
  await expect(onDisk({ ...columns, confidence: 'text' })).rejects.toThrow(/got a cat for "one"/)
})

import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { hashIds } from '../../core/randomness.ts'
import { predictionsInMemory } from './memory.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-predictions-'))
afterAll(() => rmSync(folder, { recursive: true }))

const rows = [
  { id: 'one', text: 'a cat', label: 'cat', old: 'dog', p: '0.9', cat: '0.9', dog: '0.1', y: 'cat', note: 'x' },
  { id: 'two "2"', text: 'a dog', label: 'dog', old: 'dog', p: '0.6', cat: '0.4', dog: '0.6', y: 'cow', note: '' },
  { id: 'trois é', text: 'a hen', label: 'cat', old: 'cat', p: '1', cat: '1', dog: '0', y: '', note: 'z' },
]
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const path = join(folder, 'predictions.csv')
writeFileSync(path, [Object.keys(rows[0]!), ...rows.map(Object.values)].map((cells) => cells.map(quoted).join()).join('\n'))
const columns = { id: 'id', prediction: 'label', confidence: 'p', truth: 'y', metric: 'error' } as const

/** Rows in the order of their hashes, taken as 64-bit numbers; one line of JSON each. */
function hashOf(line: (row: (typeof rows)[0]) => unknown[]): string {
  const key = ({ id }: { id: string }) => {
    const { low, high } = hashIds([id])
    return (BigInt(high[0]!) << 32n) + BigInt(low[0]!)
  }
  const sorted = rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
  return `sha256:${createHash('sha256')
    .update(sorted.map((row) => `${JSON.stringify(line(row))}\n`).join(''))
    .digest('hex')}`
}
const chance = (p: string) => 1 - Math.fround(Number(p))

it('gives pool and model the hashes that certificates have on disk', async () => {
  const { engine, model, poolHash, classes } = await predictionsInMemory(path, { ...columns, against: 'old' })
  expect(poolHash).toBe(hashOf(({ id }) => [id]))
  expect(model.id).toBe(hashOf(({ id, label, p, old }) => [id, label, chance(p), old]))
  expect(classes).toEqual(['cat', 'cow', 'dog'])
  await engine.close()

  const { confidence: _, ...bare } = columns
  const without = await predictionsInMemory(path, bare)
  expect(without.model.id).toBe(hashOf(({ id, label }) => [id, label, null]))
  expect(without.hasConfidence).toBe(false)
  await without.engine.close()
})

it('knows the answers by id, and tells an empty cell from a point that is not there', async () => {
  const { engine, answers } = await predictionsInMemory(path, columns)
  const labels = await Array.fromAsync(answers!().label(rows.map(({ id }) => id)))
  expect(labels.map(({ label }) => label)).toEqual(['cat', 'cow', null])
  await expect(Array.fromAsync(answers!().label(['four']))).rejects.toThrow('"four"')
  await engine.close()
})

it('shows what is neither prediction nor truth, and nothing of empty cells', async () => {
  const { engine } = await predictionsInMemory(path, { ...columns, against: 'old', probabilities: ['cat', 'dog'] })
  expect(await engine.contents(['trois é', 'two "2"'])).toEqual([
    { id: 'trois é', fields: { id: 'trois é', text: 'a hen', note: 'z' } },
    { id: 'two "2"', fields: { id: 'two "2"', text: 'a dog' } },
  ])
  await engine.close()
})

const places: [string, 'error' | 'recall', object, number[][]][] = [
  [
    'a confidence',
    'error',
    {},
    [
      [0.1, 0],
      [0.4, 2],
      [0.001, 0],
    ],
  ],
  [
    'a class, from the confidence',
    'recall',
    { positive: 'dog' },
    [
      [0.1 / 2, 0],
      [0.6, 2],
      [0.001, 0],
    ],
  ],
  [
    'a class, from its column',
    'recall',
    { positive: 'dog', probabilities: ['cat', 'dog'] },
    [
      [0.1, 0],
      [0.6, 2],
      [0.001, 0],
    ],
  ],
  [
    'a class without a column',
    'recall',
    { positive: 'cow', probabilities: ['cat', 'dog'] },
    [
      [0.1, 0],
      [0.1, 2],
      [0.1, 0],
    ],
  ],
]
it.each(places)('scores points by %s', async (_, metric, about, expected) => {
  const { engine } = await predictionsInMemory(path, { ...columns, ...about, metric })
  const features = await engine.features(rows.map(({ id }) => id))
  for (const [row, [wrong, place]] of expected.entries()) {
    expect(features.dot(row, Float64Array.of(1, 0))).toBeCloseTo(Math.log(wrong! / (1 - wrong!)), 5)
    expect(features.dot(row, Float64Array.of(0, 1))).toBe(place)
  }
  await engine.close()
})

it.each([
  [{ confidence: 'text' }, /column "text" must hold finite 32-bit numbers, got "a cat" in row 1/],
  [{ prediction: 'note' }, /note: every row needs a prediction, got none in row 2/],
  [{ prediction: 'y', probabilities: ['cat', 'dog'] }, /y: every row needs a prediction, got none in row 3/],
  [{ prediction: 'text', probabilities: ['cat', 'dog'] }, /text: one of cat, dog is required, got a cat in row 1/],
  [{ id: 'label' }, /label: ids must be unique, got "cat" in rows 1 and 3/],
  [{ id: 'note' }, /note: every row needs an id, got none in row 2/],
])('refuses %o', async (change, message) => {
  await expect(predictionsInMemory(path, { ...columns, ...change })).rejects.toThrow(message)
})

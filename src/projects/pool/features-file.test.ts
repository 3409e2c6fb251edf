import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { uniform } from '../../core/randomness.ts'
import { loadData } from '../data.ts'
import type { Loading } from '../pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-features-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'features.bin')

/** A table of some rows; `word` makes a text of one of its columns. */
function table(rows: number, word = ''): string {
  const path = join(folder, `pool-${rows}-${word}.csv`)
  const lines = Array.from({ length: rows }, (_, row) => {
    const x = uniform(1, 'x', `${row}`)
    return `r${row},${x},${(x * 7) % 1},${word ? `${word} ${row % 50} and ${row % 7}` : row % 3},${row % 2}`
  })
  writeFileSync(path, ['id,a,b,c,y', ...lines, ''].join('\n'))
  return path
}

async function load(path: string, options: { text?: string[]; test?: number } = {}, seed = 1, kept: Loading = { keptFrom: 1 }) {
  const steps: string[] = []
  const progress = (_: number, step: string) => void steps.push(step)
  const { pool, recipe, file: open } = await loadData(path, { label: 'y', ...options }, seed, { folder, progress, ...kept })
  await open.table.close()
  const unit = (j: number) => Float64Array.from({ length: recipe.width }, (_, k) => (k === j ? 1 : 0))
  const cells = [0, 1, pool.ids.length - 1].flatMap((row) => [0, recipe.width - 1].map((j) => pool.features.dot(row, unit(j))))
  return { recipe, cells, ids: pool.ids, isMade: steps.includes('features') }
}

it.each([
  ['few dense rows', table(300), {}],
  ['many dense rows', table(5000), {}],
  ['a test set aside', table(5000), { test: 0.2 }],
  ['sparse rows', table(5000, 'word'), { text: ['c'] }],
])('opens a project without making its features again: %s', async (_, path, options) => {
  const first = await load(path, options)
  const second = await load(path, options)
  expect([first.isMade, second.isMade]).toEqual([true, false])
  expect({ ...second, isMade: true }).toEqual(first)
})

it('makes features again when anything they depend on is another, or the file is not whole', async () => {
  const path = table(300)
  await load(path)
  expect((await load(path, { test: 0.3 })).isMade).toBe(true)
  expect((await load(path, { test: 0.3 }, 2)).isMade).toBe(true) // other rows set aside
  expect((await load(path, { test: 0.3 }, 2)).isMade).toBe(false)
  const whole = readFileSync(file)
  for (const damaged of [whole.subarray(0, whole.length - 4), whole.subarray(0, 100), Buffer.from('nothing')]) {
    writeFileSync(file, damaged)
    expect((await load(path, { test: 0.3 }, 2)).isMade).toBe(true)
    expect(statSync(file).size).toBe(whole.length)
  }
})

it('keeps no features that are made as soon as read, and does without where nothing can be written', async () => {
  const path = table(300)
  rmSync(file, { force: true })
  await load(path, {}, 1, {})
  expect(existsSync(file)).toBe(false)
  const nowhere = { folder: join(folder, 'not', 'there'), keptFrom: 1 }
  expect((await load(path, {}, 1, nowhere)).isMade).toBe(true)
})

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { dense } from '../../core/features.ts'
import { linearModel } from '../../core/model.ts'
import { hashIds, uniform } from '../../core/randomness.ts'
import { successive } from '../../designs/successive.ts'
import { inSlabs, smallestPool } from '../../engines/kernels/slabs.ts'
import { recipeOf } from '../../features/recipe.ts'
import { logistic } from '../../losses/logistic.ts'
import { alis } from '../../strategies/alis.ts'
import { keepFeatures, readFeatures } from './features-file.ts'
import { loadData } from './memory.ts'
import type { Loading } from './pool-data.ts'

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

interface Wanted {
  readonly text?: string[]
  readonly test?: number
  readonly added?: string[]
  readonly bits?: 8 | 32
}

/** A table of other rows. */
function more(rows: number, word = ''): string {
  const path = table(rows, word)
  const added = path.replace('pool-', 'more-')
  writeFileSync(added, readFileSync(path, 'utf8').replaceAll(/^r/gm, 's'))
  return added
}

async function load(path: string, options: Wanted = {}, seed = 1, kept: Loading = { keptFrom: 1 }) {
  const steps: string[] = []
  const progress = (_: number, step: string) => void steps.push(step)
  const data = await loadData(path, { label: 'y', ...options }, seed, { folder, progress, ...kept })
  const { pool, recipe } = data
  const unit = (j: number) => Float64Array.from({ length: recipe.width }, (_, k) => (k === j ? 1 : 0))
  const cells = [0, 1, pool.ids.length - 1].flatMap((row) => [0, recipe.width - 1].map((j) => pool.features.dot(row, unit(j))))
  const engine = data.engine()
  const weights = Array.from({ length: recipe.width }, (_, j) => Math.sin(j))
  const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [weights], intercepts: [0.1] })
  const request = { loss: logistic, mass: alis.mass, controls: [], design: successive, size: 20 }
  const { draws } = await engine.draw({ ...request, model, stream: { seed, name: 'learn/1' } })
  const some = await engine.features(pool.ids.slice(0, 3))
  const trained = some.dot(2, unit(0))
  await engine.close()
  await data.close()
  return { recipe, cells, ids: pool.ids, draws, trained, engine: engine.name, isMade: steps.includes('features') }
}

it.each([
  ['few dense rows', table(200), {}],
  ['many dense rows', table(5000), {}],
  ['a test set aside', table(5000), { test: 0.2 }],
  ['sparse rows', table(5000, 'word'), { text: ['c'] }],
  ['rows that were added', table(5000), { added: [more(2000)] }],
  ['sparse rows that were added', table(5000, 'word'), { text: ['c'], added: [more(2000, 'word')] }],
  ['8 bits', table(5000), { bits: 8 }],
  ['8 bits, and a test set aside', table(6000), { bits: 8, test: 0.1 }],
] satisfies [string, string, Wanted][])('opens a project without making its features again: %s', async (_, path, options) => {
  const first = await load(path, options)
  const second = await load(path, options)
  expect([first.isMade, second.isMade]).toEqual([true, false])
  expect({ ...second, isMade: true }).toEqual(first)
  expect(first.engine).toBe(first.ids.length < smallestPool ? 'memory' : 'fast')
})

it('draws with 8 bits as an engine does that has all in memory, and otherwise than with 32', async () => {
  const path = table(5000)
  const onFile = await load(path, { bits: 8 })
  const inMemory = await load(path, { bits: 8 }, 1, { keptFrom: Number.POSITIVE_INFINITY })
  rmSync(file)
  const never = await load(path, { bits: 8 }, 1, { keptFrom: Number.POSITIVE_INFINITY })
  expect([inMemory.isMade, never.isMade]).toEqual([false, true])
  expect(inMemory).toEqual({ ...onFile, isMade: false })
  expect(never).toEqual({ ...onFile, isMade: true })
  const floats = await load(path)
  expect(floats.cells).toEqual(onFile.cells) // the features themselves are the same
  expect(floats.draws.map(({ probability }) => probability)).not.toEqual(onFile.draws.map(({ probability }) => probability))
})

it('makes bytes again where theirs are missing, damaged or of other features', async () => {
  const path = table(5000)
  const bytes = join(folder, 'features-8.bin')
  const first = await load(path, { bits: 8 })
  const whole = readFileSync(bytes)
  expect(whole.length).toBe(4096 + 16 * first.recipe.width + 5000 * 8 * Math.ceil(first.recipe.width / 8) + 4)
  await load(path, { bits: 8, test: 0.1 })
  expect(readFileSync(bytes)).not.toEqual(whole)
  for (const damage of [
    () => rmSync(bytes),
    () => writeFileSync(bytes, whole.subarray(0, -1)),
    () => writeFileSync(bytes, '{'),
  ]) {
    damage()
    expect((await load(path, { bits: 8 })).draws).toEqual(first.draws)
    expect(readFileSync(bytes)).toEqual(whole)
  }
})

it('keeps features that lie in several memories', () => {
  const [rows, columns] = [10_000, 3]
  const values = Float32Array.from({ length: rows * columns }, (_, k) => uniform(2, 'x', `${k}`))
  const hashes = hashIds(Array.from({ length: rows }, (_, i) => `${i}`))
  const features = inSlabs(dense(values, columns), hashes, 4096 * (4 * columns + 8))
  expect(features.layout).toBeUndefined() // they do
  const part = { kind: 'vector', column: 'v', means: [0, 0, 0], scale: 1, indicator: false } as const
  const recipe = recipeOf([part], rows)
  keepFeatures(folder, 'key', { recipe, features }, 1)
  const found = readFeatures(folder, 'key', hashes)
  expect(readFeatures(folder, 'another', hashes)).toBeUndefined()
  for (const row of [0, 4095, 4096, 9999])
    expect(found!.features.dot(row, Float64Array.of(1, 10, 100))).toBe(features.dot(row, Float64Array.of(1, 10, 100)))
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

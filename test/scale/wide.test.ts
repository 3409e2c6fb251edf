import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dense } from '../../src/core/features.ts'
import { linearModel } from '../../src/core/model.ts'
import { successive } from '../../src/designs/successive.ts'
import { openDuckdbPool } from '../../src/engines/duckdb/pool.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import type { FeatureBlock } from '../../src/engines/sql/features.ts'
import { crossEntropy } from '../../src/losses/cross-entropy.ts'
import { errorOf } from '../../src/losses/error.ts'
import { strategies } from '../../src/strategies/catalogue.ts'
import { folder, write } from './pools.ts'

const [points, width, classes] = [60, 4096, 5]

/** Eighths, by a formula that SQL and JavaScript compute alike. */
const cell = (i: number, j: number) => (((i * 7919 + j * 104729) % 1009) % 17) / 8 - 1
const cellSql = (j: number | string) => `(((i * 7919 + ${j} * 104729) % 1009) % 17 / 8.0 - 1)::FLOAT`

const vector: FeatureBlock = { kind: 'vector', sql: 'v', means: new Array<number>(width).fill(0), scale: 1 }
const shapes: [string, string[], FeatureBlock[]][] = [
  [
    'columns',
    Array.from({ length: width }, (_, j) => `${cellSql(j)} AS c${j}`),
    Array.from({ length: width }, (_, j) => ({ kind: 'number', sql: `c${j}::DOUBLE` })),
  ],
  ['a list column', [`list_transform(range(${width}), lambda j: ${cellSql('j')}) AS v`], [vector]],
  [
    'an array column without a gap',
    [`list_transform(range(${width}), lambda j: ${cellSql('j')})::FLOAT[${width}] AS v`],
    [{ ...vector, isWhole: true }],
  ],
]

const model = linearModel({
  loss: 'cross-entropy',
  classes: Array.from({ length: classes }, (_, k) => `c${k}`),
  weights: Array.from({ length: classes }, (_, k) => Array.from({ length: width }, (_, j) => Math.sin(k * width + j) / 30)),
  intercepts: Array.from({ length: classes }, (_, k) => k / 10),
})
const request = {
  model,
  loss: crossEntropy,
  mass: strategies.alis.mass,
  controls: [errorOf(crossEntropy)],
  design: successive,
  size: 12,
  stream: { seed: 4, name: 'learn/1' },
}

it.each(shapes)('draws from 4,096 features and five classes what memory draws: %s', async (name, cells, blocks) => {
  const path = join(folder, `${name}.parquet`)
  await write(`COPY (SELECT 'p' || i AS id, ${cells} FROM range(${points}) AS t(i)) TO '${path}'`)
  const values = Float32Array.from({ length: points * width }, (_, k) => cell(Math.floor(k / width), k % width))
  const ids = Array.from({ length: points }, (_, i) => `p${i}`)
  const memory = memoryEngine({ ids, features: dense(values, width) })
  const pool = await openDuckdbPool({ from: `read_parquet('${path}')`, id: 'id', blocks, fields: {} })
  const engine = pool.engine()
  for (const one of [memory, engine]) await one.take(['p1', 'p7'])
  const [wanted, got] = [await memory.draw(request), await engine.draw(request)]
  expect(got.draws.map(({ id }) => id)).toEqual(wanted.draws.map(({ id }) => id))
  for (const [k, { probability }] of got.draws.entries()) expect(probability / wanted.draws[k]!.probability).toBeCloseTo(1, 9)
  expect(got.survey.pseudoLoss / wanted.survey.pseudoLoss).toBeCloseTo(1, 9)
  const [asked, one] = [ids.slice(3, 5), Float64Array.from({ length: width }, (_, j) => (j === 4000 ? 1 : 0))]
  const [ours, theirs] = [await engine.features(asked), await memory.features(asked)]
  for (const row of asked.keys()) expect(ours.dot(row, one)).toBe(theirs.dot(row, one))
  await pool.close()
})

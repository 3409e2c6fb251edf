import { afterAll, beforeAll, expect, it } from 'vitest'
import { dense } from '../../src/core/features.ts'
import { linearModel } from '../../src/core/model.ts'
import { successive } from '../../src/designs/successive.ts'
import { openClickHousePool } from '../../src/engines/clickhouse/pool.ts'
import { openSession } from '../../src/engines/clickhouse/session.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import { crossEntropy } from '../../src/losses/cross-entropy.ts'
import { errorOf } from '../../src/losses/error.ts'
import { strategies } from '../../src/strategies/catalogue.ts'
import { type ChdbServer, hasChdb, startChdb } from '../chdb/start.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { distribute } from './tables.ts'

const [points, width, classes] = [60, 4096, 5]
let cluster: Cluster
let chdb: ChdbServer | undefined
beforeAll(async () => {
  cluster = await startCluster()
  if (hasChdb) chdb = await startChdb()
})
afterAll(async () => {
  await cluster?.close()
  await chdb?.close()
})

/** Eighths again, by a formula that SQL and JavaScript compute alike. */
const cell = (i: number, j: number) => (((i * 7919 + j * 104729) % 1009) % 17) / 8 - 1

it('scores lists of 4,096 numbers with five classes, on old servers and on the current one', async () => {
  const columns = 'id String, v Array(Float32)'
  const rows = `SELECT concat('p', toString(number)) AS id,
    arrayMap(j -> toFloat32(((number * 7919 + j * 104729) % 1009) % 17 / 8 - 1), range(${width})) AS v FROM numbers(${points})`
  await distribute(cluster.shards, 'wide', columns)
  await cluster.shards[0]!.run(`INSERT INTO wide ${rows}`)
  await chdb?.run(`CREATE TABLE wide (${columns}) ENGINE = MergeTree ORDER BY id`)
  await chdb?.run(`INSERT INTO wide ${rows}`)

  const values = Float32Array.from({ length: points * width }, (_, k) => cell(Math.floor(k / width), k % width))
  const ids = Array.from({ length: points }, (_, i) => `p${i}`)
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
  const inMemory = memoryEngine({ ids, features: dense(values, width) })
  await inMemory.take(['p1', 'p7'])
  const reference = await inMemory.draw(request)
  for (const server of [cluster, ...(chdb ? [chdb] : [])]) {
    const session = await openSession(server.address('wide'))
    const vector = { kind: 'vector' as const, sql: 'v', means: new Array<number>(width).fill(0), scale: 1 }
    const pool = await openClickHousePool({ session, id: 'id', blocks: [vector], hashed: ['v'], fields: {} })
    const engine = pool.engine()
    await engine.take(['p1', 'p7'])
    const { draws, survey } = await engine.draw(request)
    expect(draws.map(({ id }) => id)).toEqual(reference.draws.map(({ id }) => id))
    for (const [k, { probability }] of draws.entries()) expect(probability / reference.draws[k]!.probability).toBeCloseTo(1, 9)
    expect(survey.pseudoLoss / reference.survey.pseudoLoss).toBeCloseTo(1, 9)
    session.close()
  }
})

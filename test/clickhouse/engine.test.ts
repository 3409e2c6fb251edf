import { afterAll, beforeAll } from 'vitest'
import { clickhouseDialect } from '../../src/engines/clickhouse/dialect.ts'
import { openSession } from '../../src/engines/clickhouse/session.ts'
import { type ContractPool, describeEngine } from '../../src/engines/engine.contract.ts'
import { describeFormulas } from '../../src/engines/sql/dialect.contract.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { contractColumns, contractEngine, distribute, fill, rowWriter } from './tables.ts'

let cluster: Cluster
const tables = new Map<ContractPool, string>()
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.close())

async function tableOf(pool: ContractPool): Promise<string> {
  const known = tables.get(pool)
  if (known) return known
  const name = `contract${tables.size}`
  tables.set(pool, name)
  await distribute(cluster.shards, name, contractColumns(pool.columns))
  await fill(cluster.shards[0]!.run, name, pool)
  return name
}

const open = async (pool: ContractPool, asList: boolean) =>
  contractEngine(await openSession(cluster.address(await tableOf(pool))), pool, asList)

const noSelectors = 'they compare points with each other, which no query over a large pool can'
const database = { noSelectors, needsFormulas: true }
describeEngine('clickhouse, three shards, a list column', (pool) => open(pool, true), database)
describeEngine('clickhouse, three shards, a column for each feature', (pool) => open(pool, false), {
  ...database,
  onlyFeatures: true,
})

describeFormulas('in ClickHouse 18.16', {
  dialect: clickhouseDialect({ hasDotProduct: false, hasExactSums: false, hasLog1p: false }),
  ask: async (sql) => (await cluster.shards[0]!.run(sql)).map((row) => row.map(Number)),
  rows: rowWriter((sql) => cluster.shards[0]!.run(sql)),
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clickhouseDialect } from '../../src/engines/clickhouse/dialect.ts'
import { openSession } from '../../src/engines/clickhouse/session.ts'
import { type ContractPool, describeEngine } from '../../src/engines/engine.contract.ts'
import { describeFormulas } from '../../src/engines/sql/dialect.contract.ts'
import { type ChdbServer, hasChdb, startChdb } from '../chdb/start.ts'
import { contractColumns, contractEngine, fill, rowWriter } from './tables.ts'

describe.skipIf(!hasChdb)('the current ClickHouse', () => {
  let server: ChdbServer
  const tables = new Map<ContractPool, string>()
  beforeAll(async () => {
    server = await startChdb()
  })
  afterAll(() => server?.close())

  async function open(pool: ContractPool) {
    const known = tables.get(pool)
    const name = known ?? `contract${tables.size}`
    if (!known) {
      tables.set(pool, name)
      await server.run(`CREATE TABLE ${name} (${contractColumns(pool.columns)}) ENGINE = MergeTree ORDER BY id`)
      await fill(server.run, name, pool)
    }
    return contractEngine(await openSession(server.address(name)), pool, true)
  }

  const noSelectors = 'they compare points with each other, which no query over a large pool can'
  describeEngine('clickhouse, current version', open, { noSelectors, needsFormulas: true })

  describeFormulas('in the current ClickHouse', {
    dialect: clickhouseDialect({ hasDotProduct: true, hasExactSums: true, hasLog1p: true }),
    ask: async (sql) => (await server.run(sql)).map((row) => row.map(Number)),
    rows: rowWriter((sql) => server.run(sql)),
  })

  it('is found to be able to do more than old servers', async () => {
    await server.run('CREATE TABLE abilities (id String) ENGINE = Memory')
    const { abilities, close } = await openSession(server.address('abilities'))
    expect(abilities).toMatchObject({ hasDotProduct: true, hasExactSums: true, hasLog1p: true })
    close()
  })
})

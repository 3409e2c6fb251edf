import { afterAll, beforeAll } from 'vitest'
import { quotedText } from '../../src/engines/clickhouse/sql-text.ts'
import { predictionsOnClickHouse } from '../../src/projects/predictions/clickhouse.ts'
import { describePredictions } from '../../src/projects/predictions/predictions.contract.ts'
import { contractRows } from '../../src/projects/predictions/rows.contract.ts'
import { type ChdbServer, hasChdb, startChdb } from '../chdb/start.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { distribute } from './tables.ts'

let cluster: Cluster
let chdb: ChdbServer | undefined

describePredictions('on three old servers', (reading) => predictionsOnClickHouse(cluster.address('said'), reading))
if (hasChdb) describePredictions('on the current server', (reading) => predictionsOnClickHouse(chdb!.address('said'), reading))

const columns = Object.keys(contractRows[0]!).map((name) => `${name} ${typeOf(name)}`)
const values = contractRows.map((row) => `(${Object.entries(row).map(([name, cell]) => literalOf(name, cell))})`)

function typeOf(column: string): string {
  if (column === 'rank') return 'Nullable(Float32)'
  if (['p', 'cat', 'dog', 'cow', 'big', 'grade'].includes(column)) return 'Float32'
  return column === 'y' ? 'Nullable(String)' : 'String'
}

function literalOf(column: string, cell: string | number): string {
  if (typeof cell === 'number') return `${cell}`
  return column === 'rank' ? 'NULL' : quotedText(cell)
}

beforeAll(async () => {
  cluster = await startCluster()
  await distribute(cluster.shards, 'said', columns.join(', '))
  await cluster.shards[0]!.run(`INSERT INTO said VALUES ${values.join(', ')}`)
  if (!hasChdb) return
  chdb = await startChdb()
  const few = columns.map((column) => column.replace('lang String', 'lang LowCardinality(Nullable(String))'))
  await chdb.run(`CREATE TABLE said (${few.join(', ')}) ENGINE = MergeTree ORDER BY id`)
  await chdb.run(`INSERT INTO said VALUES ${values.join(', ')}`)
})
afterAll(async () => {
  await cluster?.close()
  await chdb?.close()
})

// Rounds over pools on ClickHouse, by rows and shards, with a fitted line: `npm run bench:cluster`.
// Starts servers of its own on this machine, as the tests do. --rows 100000,1000000,10000000,100000000 takes 20 GB of disk.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { linearModel } from '../../src/core/model.ts'
import { successive } from '../../src/designs/successive.ts'
import { openClickHousePool } from '../../src/engines/clickhouse/pool.ts'
import { openSession } from '../../src/engines/clickhouse/session.ts'
import { errorOf } from '../../src/losses/error.ts'
import { logistic } from '../../src/losses/logistic.ts'
import { strategies } from '../../src/strategies/catalogue.ts'
import { count } from '../../src/text/wording.ts'
import { hasChdb, startChdb } from '../../test/chdb/start.ts'
import { startCluster } from '../../test/clickhouse/cluster.ts'
import type { Run } from '../../test/clickhouse/tables.ts'
import { type Measured, printLine, printRounds } from '../scale/table.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000,1000000,10000000' },
    shards: { type: 'string', default: '1,2,3' },
    /** Rows for the comparison of shards. */
    'shard-rows': { type: 'string', default: '1000000' },
    features: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
    /** What was measured, for programs. */
    json: { type: 'boolean', default: false },
  },
})
const numbers = (text: string) => text.split(',').map(Number)
const features = Number(values.features)
const rounds = Number(values.rounds)

const shardCounts = numbers(values.shards)
const most = Math.max(...shardCounts)
const measured: Measured[] = []
for (const shards of shardCounts) {
  const cluster = await startCluster(shards)
  try {
    const sizes = new Set([Number(values['shard-rows']), ...(shards === most ? numbers(values.rows) : [])])
    for (const rows of [...sizes].sort((a, b) => a - b)) measured.push(await measure(cluster, rows))
  } finally {
    await cluster.close()
  }
}
if (hasChdb) {
  const server = await startChdb()
  try {
    measured.push(await measure({ address: server.address, shards: [server], current: true }, Number(values['shard-rows'])))
  } finally {
    await server.close()
  }
}
if (values.json) console.log(JSON.stringify(measured))
else {
  console.log(`${features} numbers a point, two classes, a new model each round, 100 draws, servers on one machine`)
  printRounds(measured)
  printLine(
    `${measured[0]!.engine} on ${most} shards`,
    measured.filter(({ shards, engine }) => shards === most && engine === measured[0]!.engine),
  )
}

interface Servers {
  address(table: string): string
  readonly shards: readonly { run: Run; pid(): number | undefined }[]
  /** The current ClickHouse as a library: one server, no cluster. */
  readonly current?: boolean
}

async function measure({ address, shards, current = false }: Servers, rows: number): Promise<Measured> {
  const columns = `id String, v Array(Float32), alis_hash UInt64 MATERIALIZED reinterpretAsUInt64(substring(MD5(id), 1, 8))`
  const number = 'toFloat32(toInt32(intHash64(number * 64 + j)) / 2147483648)'
  process.stderr.write(`writing ${count(rows)} points to ${shards.length} shards …\n`)
  await Promise.all(
    shards.map(async ({ run }, k) => {
      await run(`CREATE TABLE pool_local (${columns}) ENGINE = MergeTree ORDER BY id`)
      const own = Math.floor((rows + shards.length - 1 - k) / shards.length)
      const chunk = 2_000_000 // each insertion has two minutes
      for (let start = 0; start < own; start += chunk) {
        const source = `(SELECT (number + ${start}) * ${shards.length} + ${k} AS number FROM numbers(${Math.min(chunk, own - start)}))`
        await run(
          `INSERT INTO pool_local (id, v) SELECT concat('p', toString(number)), arrayMap(j -> ${number}, range(${features})) FROM ${source}`,
        )
      }
    }),
  )
  if (!current)
    await shards[0]!.run(
      `CREATE TABLE pool (id String, v Array(Float32), alis_hash UInt64) ENGINE = Distributed(alis, default, pool_local)`,
    )
  const session = await openSession(address(current ? 'pool_local' : 'pool'))
  const opened = performance.now()
  const vector = { kind: 'vector' as const, sql: 'v', means: new Array<number>(features).fill(0), scale: 1 }
  const pool = await openClickHousePool({ session, id: 'id', blocks: [vector], hashed: ['v'], fields: {} })
  const openSeconds = (performance.now() - opened) / 1000
  const engine = pool.engine()
  const times: number[] = []
  const work: number[] = []
  let bytes = 0
  for (let round = 1; round <= rounds; round++) {
    const weights = [Array.from({ length: features }, (_, j) => Math.sin(round + j))]
    const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights, intercepts: [0] })
    const question = { model, loss: logistic, mass: strategies.alis.mass, controls: [errorOf(logistic)] }
    const [start, before, worked] = [performance.now(), session.received(), coreSecondsOf(shards)]
    const { draws } = await engine.draw({
      ...question,
      design: successive,
      size: 100,
      stream: { seed: 1, name: `learn/${round}` },
    })
    times.push((performance.now() - start) / 1000)
    bytes = session.received() - before
    work.push(coreSecondsOf(shards) - worked)
    await engine.take(draws.map(({ id }) => id))
  }
  const scanned = performance.now()
  await session.ask({ sql: `SELECT sum(arraySum(v)) FROM ${session.table}` })
  const scanSeconds = (performance.now() - scanned) / 1000
  session.close()
  for (const { run } of shards) await run('DROP TABLE pool_local')
  if (!current) await shards[0]!.run('DROP TABLE pool')
  const coreSeconds = Math.min(...work)
  const roundSeconds = times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!
  return {
    engine: `clickhouse ${session.abilities.version}`,
    shards: shards.length,
    rows,
    openSeconds,
    roundSeconds,
    scanSeconds,
    bytes,
    coreSeconds,
  }
}

/** Seconds that the processes have computed so far, as Linux tells it. */
function coreSecondsOf(servers: Servers['shards']): number {
  const ticks = servers.map((server) => {
    const fields = readFileSync(`/proc/${server.pid()}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return Number(fields[11]) + Number(fields[12])
  })
  return ticks.reduce((sum, own) => sum + own, 0) / 100
}

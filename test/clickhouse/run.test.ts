import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ChdbServer, hasChdb, startChdb } from '../chdb/start.ts'
import { alis, jsonLines } from '../command.ts'
import { alisHere } from '../in-process.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { smallColumns, smallLines, smallPool, smallValues } from './small-pool.ts'
import { distribute } from './tables.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-clickhouse-'))
const pool = smallPool(900)
const file = join(folder, 'pool.jsonl')
const parquet = join(folder, 'pool.parquet')
let cluster: Cluster
let chdb: ChdbServer | undefined
let address: string

beforeAll(async () => {
  writeFileSync(file, smallLines(pool))
  cluster = await startCluster()
  address = cluster.address('small')
  await distribute(cluster.shards, 'small', smallColumns)
  await cluster.shards[0]!.run(`INSERT INTO small VALUES ${smallValues(pool)}`)
  if (!hasChdb) return
  chdb = await startChdb()
  await chdb.run(`CREATE TABLE small (${smallColumns}) ENGINE = MergeTree ORDER BY id`)
  await chdb.run(`INSERT INTO small VALUES ${smallValues(pool)}`)
})
afterAll(async () => {
  await cluster?.close()
  await chdb?.close()
  rmSync(folder, { recursive: true })
})

const options = ['--label', 'y', '--seed', '7', '--rounds', '2', '--json']

/** The draws of every round of a run, and where it was. */
async function drawsOn(where: string, ...more: string[]) {
  const { code, stdout, stderr } = await alisHere(['run', '--pool', where, ...options, ...more])
  expect(`${code} ${stderr}`).toBe('0 ')
  const lines = jsonLines(stdout)
  const rounds = lines.filter(({ type }) => type === 'round')
  return {
    engine: lines[0].engine,
    draws: rounds.map(({ draws }) => draws.map(({ id }: { id: string }) => id)),
    probabilities: rounds.flatMap(({ draws }) => draws.map(({ probability }: { probability: number }) => probability)),
  }
}

it('draws the same points in memory, on disk, on three old servers and on the current one', async () => {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(`COPY (SELECT * REPLACE (v::FLOAT[] AS v) FROM read_json('${file}')) TO '${parquet}'`)
  connection.closeSync()
  const inMemory = await drawsOn(file)
  expect(inMemory.draws.map((ids) => ids.length)).toEqual([10, 10, 10])
  const others = [
    await drawsOn(parquet, '--engine', 'duckdb'),
    await drawsOn(address),
    ...(chdb ? [await drawsOn(chdb.address('small'))] : []),
  ]
  expect(others.map(({ engine }) => engine)).toEqual(['duckdb', 'clickhouse', 'clickhouse'].slice(0, others.length))
  for (const { draws, probabilities } of others) {
    expect(draws).toEqual(inMemory.draws)
    for (const [k, p] of probabilities.entries()) expect(p / inMemory.probabilities[k]).toBeCloseTo(1, 6) // 32-bit features
  }
})

it('goes from a table to a certificate that verifies, and refuses the project once the table has changed', async () => {
  await cluster.shards[0]!.run('CREATE TABLE small_copy_local AS small_local ENGINE = MergeTree ORDER BY tuple()')
  await cluster.shards[0]!.run('INSERT INTO small_copy_local SELECT * FROM small')
  const copy = cluster.address('small_copy_local')
  const project = join(folder, 'cluster.alis')
  const run = ['run', copy, '--label', 'y', '--seed', '3', '--rounds', '2', '--project', project]
  expect(await alisHere([...run, '--quiet'])).toMatchObject({ code: 0, stderr: '' })
  const certified = await alisHere(['certify', project, '--tolerance', '0.1', '--json'])
  expect(`${certified.code} ${certified.stderr}`).toBe('0 ')
  const { certificate, value } = jsonLines(certified.stdout).at(-1)
  expect(value).toBeGreaterThanOrEqual(0)
  const verified = await alisHere(['verify', certificate, '--project', project, '--json'])
  expect([verified.code, verified.stderr, jsonLines(verified.stdout).at(-1).verified]).toEqual([0, '', true])

  await cluster.shards[0]!.run("INSERT INTO small_copy_local VALUES ('new', [1, 1, 1], 1, 'red', 'no')")
  const changed = await alisHere([...run, '--quiet'])
  expect(changed.code).toBe(2)
  expect(changed.stderr).toContain('the pool must be as it was when the project began')
})

it('refuses landmarks on servers that would take minutes to understand them, before a project is begun', async () => {
  const { code, stderr } = await alisHere(['run', '--pool', address, '--label', 'y', '--learner', 'landmarks'])
  expect(`${code} ${stderr}`).toContain('2 alis: --learner: linear or auto is required where no further features can be made')
})

it('audits predictions that their owner keeps in columns: as from a file, and another model once they are refreshed', async () => {
  const said = pool.map(({ id, v, y }) => ({
    id,
    said: v[0]! > 2 * v[1]! - 0.5 ? 'yes' : 'no',
    sure: 0.5 + Math.abs(v[1]!) / 4,
    y,
  }))
  const predictions = join(folder, 'predictions.jsonl')
  writeFileSync(predictions, said.map((row) => `${JSON.stringify(row)}\n`).join(''))
  await distribute(cluster.shards, 'predictions', 'id String, said String, sure Float32, y String')
  const values = said.map((row) => `('${row.id}', '${row.said}', ${row.sure}, '${row.y}')`)
  await cluster.shards[0]!.run(`INSERT INTO predictions VALUES ${values.join(', ')}`)
  const certificate = join(folder, 'audit.json')
  const words = ['--prediction', 'said', '--confidence', 'sure', '--truth', 'y', '--budget', '100', '--seed', '5', '--json']
  const fromFile = await alisHere(['audit', predictions, ...words])
  const fromTable = await alisHere(['audit', '--pool', cluster.address('predictions'), ...words, '--certificate', certificate])
  expect(`${fromTable.code} ${fromTable.stderr}`).toBe('0 ')
  const [a, b] = [fromFile, fromTable].map(({ stdout }) => jsonLines(stdout).at(-1))
  for (const key of ['value', 'low', 'high', 'answers'] as const) expect(b[key]).toBeCloseTo(a[key], 9)
  const verify = ['verify', certificate, '--pool', cluster.address('predictions'), '--json']
  expect(jsonLines((await alisHere(verify)).stdout).at(-1)).toMatchObject({ verified: true })

  for (const { run } of cluster.shards) {
    await run('CREATE TABLE refreshed AS predictions_local ENGINE = MergeTree ORDER BY tuple()')
    await run('INSERT INTO refreshed SELECT id, said, if(sure < 0.7, sure + 0.125, sure), y FROM predictions_local')
    await run('DROP TABLE predictions_local')
    await run('RENAME TABLE refreshed TO predictions_local')
  }
  const refused = await alisHere(verify)
  expect(refused.code).toBe(2)
  expect(refused.stdout).toContain('certificate: model')
})

it('ends with the name of a shard that dies in mid-run, and goes on from there once it is back', async () => {
  const plan = ['run', address, '--label', 'y', '--seed', '11', '--rounds', '4', '--json']
  const whole = await alisHere(plan)
  const project = join(folder, 'killed.alis')
  const [first, , dying] = cluster.shards
  let killed: Promise<void> | undefined
  const broken = await alis([...plan, '--project', project], {
    watch: (said) => {
      if (said.includes('"round":2')) killed ??= dying!.kill()
    },
  })
  await killed
  expect(broken.code).toBe(1)
  expect(broken.stdout).toContain(`got none from shard 3 (127.0.0.1:${dying!.tcpPort})`)
  const done = jsonLines(broken.stdout).filter(({ type }) => type === 'round').length
  expect(done).toBeGreaterThanOrEqual(2)
  expect(done).toBeLessThan(5)
  await dying!.start()
  expect(await first!.run('SELECT count() FROM small')).toEqual([[`${pool.length}`]])
  const resumed = await alisHere([...plan, '--project', project])
  expect(resumed.code).toBe(0)
  const idsIn = (text: string) =>
    jsonLines(text)
      .filter(({ type }) => type === 'round')
      .map(({ round, draws }) => [round, draws.map(({ id }: { id: string }) => id)])
  const both = [...idsIn(broken.stdout), ...idsIn(resumed.stdout)]
  expect(both.slice(0, 5)).toEqual(idsIn(whole.stdout).slice(0, both.length))
})

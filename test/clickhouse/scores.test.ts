import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { successive } from '../../src/designs/successive.ts'
import { logistic } from '../../src/losses/logistic.ts'
import { loadPool } from '../../src/projects/load-pool.ts'
import { strategies } from '../../src/strategies/catalogue.ts'
import { type ChdbServer, hasChdb, startChdb } from '../chdb/start.ts'
import { jsonLines } from '../command.ts'
import { alisHere as alis } from '../in-process.ts'
import { scoredLines, scoredPoints, scoredTable, scoredValues } from '../scores/scored-pool.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { distribute } from './tables.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-clickhouse-scores-'))
const [old, refreshed] = [scoredPoints(500), scoredPoints(500, 2)]
const file = join(folder, 'scored.jsonl')
let cluster: Cluster
let chdb: ChdbServer | undefined

beforeAll(async () => {
  writeFileSync(file, scoredLines(old))
  cluster = await startCluster(2)
  await distribute(cluster.shards, 'scored', scoredTable)
  await cluster.shards[0]!.run(`INSERT INTO scored VALUES ${scoredValues(old)}`)
  if (!hasChdb) return
  chdb = await startChdb()
  await chdb.run(`CREATE TABLE scored (${scoredTable}) ENGINE = MergeTree ORDER BY id`)
  await chdb.run(`INSERT INTO scored VALUES ${scoredValues(old)}`)
})
afterAll(async () => {
  await cluster?.close()
  await chdb?.close()
  rmSync(folder, { recursive: true })
})

/** As an owner would refresh scores on old servers: another table takes the place of the first. */
async function refresh(points: typeof old): Promise<void> {
  const { shards } = cluster
  for (const { run } of shards) await run('DROP TABLE scored_local')
  for (const { run } of shards) await run(`CREATE TABLE scored_local (${scoredTable}) ENGINE = MergeTree ORDER BY tuple()`)
  await shards[0]!.run(`INSERT INTO scored VALUES ${scoredValues(points)}`)
}

const words = (where: string, columns: string, label: string) =>
  ['run', '--pool', where, '--scores-column', columns, '--label', label, '--seed', '4', '--rounds', '1', '--json'] // biome-ignore format: one line

async function roundsOn(args: readonly string[]) {
  const { code, stdout, stderr } = await alis(args)
  expect(`${code} ${stderr}`).toBe('0 ')
  return jsonLines(stdout)
    .filter(({ type }) => type === 'round')
    .map(({ scores, draws }) => [scores, draws.map(({ id }: { id: string }) => id)])
}

it.each([
  ['two classes', 'p', 'y'],
  ['three classes', 'bird,cat,dog', 'animal'],
])('scores of %s are the same model, and draw the same points, as in a file', async (_, columns, label) => {
  const inFile = await roundsOn(words(file, columns, label))
  expect(inFile.map(([, ids]) => ids.length)).toEqual([10, 10])
  expect(await roundsOn(words(cluster.address('scored'), columns, label))).toEqual(inFile)
  if (chdb && label === 'y') expect(await roundsOn(words(chdb.address('scored'), columns, label))).toEqual(inFile)
})

it('refreshed scores are a new model in the next round, and refused within one', async () => {
  const data = await loadPool(cluster.address('scored'), { scores: ['p'], label: 'y' }, 4)
  const engine = data.engine()
  const drawWith = async (model: Awaited<ReturnType<NonNullable<typeof data.look>>>, round: number) =>
    engine.draw({
      model,
      loss: logistic,
      mass: strategies.alis.mass,
      controls: [],
      design: successive,
      size: 5,
      stream: { seed: 1, name: `learn/${round}` },
    })
  const first = await data.look!()
  const { draws } = await drawWith(first, 1)
  await engine.take(draws.map(({ id }) => id))
  expect((await data.look!()).id).toBe(first.id)

  await refresh(refreshed)
  await expect(drawWith(first, 2)).rejects.toThrow('the table must stay as it is between passes')
  const second = await data.look!()
  expect(second.id).not.toBe(first.id)
  const next = await drawWith(second, 2)
  for (const { id } of draws) expect(next.draws.map((draw) => draw.id)).not.toContain(id) // what was taken stays taken
  await expect(drawWith(first, 2)).rejects.toThrow(`the columns must hold the model ${first.id.slice(0, 19)}…`)

  await refresh(refreshed.slice(1))
  for (let k = 0; k < 2; k++)
    await expect(data.look!()).rejects.toThrow('scores: the points must be those that were there when the pool was opened')
  await refresh(old.map((point, i) => (i === 8 ? { ...point, p: 1.5 } : point)))
  await expect(data.look!()).rejects.toThrow('p: a probability from 0 to 1 is required, got 1.5 for "s8"')
  await refresh(old)
  expect((await data.look!()).id).toBe(first.id)
  await data.close()
})

it('scores in a table are certified as they are; refreshed, the certificate is not verified any more', async () => {
  const project = join(folder, 'scored.alis')
  await roundsOn([...words(cluster.address('scored'), 'p', 'y'), '--project', project])
  const certified = await alis(['certify', project, '--budget', '40', '--json'])
  expect(`${certified.code} ${certified.stderr}`).toBe('0 ')
  const { certificate } = jsonLines(certified.stdout).at(-1)
  const verify = ['verify', certificate, '--project', project, '--json']
  expect(jsonLines((await alis(verify)).stdout).at(-1)).toMatchObject({ verified: true })
  await refresh(refreshed)
  const refused = await alis(verify)
  expect(`${refused.code} ${refused.stdout}`).toContain('certificate: model')
  await refresh(old)
})

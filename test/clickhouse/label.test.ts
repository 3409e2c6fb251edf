import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AnswerPage, PredictionPage } from '../../src/protocol/data.ts'
import { jsonLines } from '../command.ts'
import { freshDirectory } from '../endings.ts'
import { alisHere } from '../in-process.ts'
import { type Page, visit } from '../server/page.ts'
import { end, start } from '../server/started.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { smallColumns, smallPool, smallValues } from './small-pool.ts'
import { distribute } from './tables.ts'

const pool = smallPool(300)
const truth = new Map(pool.map(({ id, y }) => [id, y]))
let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster(2)
  await distribute(cluster.shards, 'small', smallColumns)
  await cluster.shards[0]!.run(`INSERT INTO small VALUES ${smallValues(pool)}`)
})
afterAll(() => cluster?.close())

/** Answers so many points of the open round. Gives the round's ids. */
async function answerSome(page: Page, most = Number.POSITIVE_INFINITY): Promise<string[]> {
  const { round, points } = await page.round()
  for (const { id } of points.filter(({ answer }) => !answer).slice(0, most))
    expect((await page.answer(round, id, truth.get(id)!)).status).toBe(200)
  return points.map(({ id }) => id)
}

it('people label a table round by round, through a server that is killed and a shard that dies', async () => {
  const directory = freshDirectory()
  const sizes = ['--start', '5', '--batch', '5', '--seed', '7']
  const words = ['label', '--pool', cluster.address('small'), '--classes', 'no,yes', '--ignore', 'y', '--budget', '40', ...sizes]
  const first = await start(directory, words)
  const page = await visit(first.url)
  const drawn = [await answerSome(page)]
  const { points, round } = await page.round()
  expect(round).toBe(1)
  const shown = new Set(points.flatMap(({ content }) => content.fields.map(({ name }) => name)))
  expect([...shown].sort()).toEqual(['colour', 'id', 'v', 'weight'])

  const predictions = await page.call<PredictionPage>('GET', '/predictions?offset=0&limit=20')
  expect(predictions).toMatchObject({ status: 200, body: { of: 295, hidden: 5 } })
  expect(predictions.body.rows).toHaveLength(20)
  for (const { content } of predictions.body.rows) expect(points.map(({ id }) => id)).not.toContain(content.id)
  const found = await page.call<PredictionPage>('GET', '/predictions?offset=0&limit=20&search=p17')
  expect(found.body.rows.map(({ content }) => content.id)).toContain('p17')
  expect((await page.call<AnswerPage>('GET', '/answers?offset=0&limit=10')).body.rows).toHaveLength(5)
  await answerSome(page, 2)
  await end(first.child, 'SIGKILL')

  const second = await start(directory, ['label', '--project', 'small.alis'])
  const again = await visit(second.url)
  const resumed = await again.round()
  expect(resumed.points.map(({ id }) => id)).toEqual(points.map(({ id }) => id))
  expect(resumed.points.filter(({ answer }) => answer)).toHaveLength(2)
  const dying = cluster.shards[1]!
  await dying.kill()
  drawn.push(await answerSome(again))
  const failed = await again.until(({ phase }) => phase.kind === 'failed')
  expect(failed.phase).toMatchObject({ failure: { message: expect.stringContaining('got none from shard 2') } })
  await dying.start()
  await again.call('POST', '/retry')
  await again.until(({ phase }) => phase.kind === 'asking')
  drawn.push(await answerSome(again))
  await again.until(({ answers, phase }) => answers === 15 && phase.kind === 'asking')
  const exported = await again.call<{ files: { file: string }[] }>('POST', '/exports', { format: 'csv' })
  expect(exported.body.files.map(({ file }) => file)).toEqual(['labels.csv', 'model.json'])
  expect(await end(second.child, 'SIGINT')).toBe(130)

  // A command whose answers come from the column draws the same points.
  const run = await alisHere(['run', cluster.address('small'), '--label', 'y', '--rounds', '2', '--json', ...sizes])
  const rounds = jsonLines(run.stdout).filter(({ type }) => type === 'round')
  expect(rounds.map(({ draws }) => draws.map(({ id }: { id: string }) => id))).toEqual(drawn)
})

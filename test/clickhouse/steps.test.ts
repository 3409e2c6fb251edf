import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ChdbServer, hasChdb, startChdb } from '../chdb/start.ts'
import { jsonLines } from '../command.ts'
import { alisHere } from '../in-process.ts'
import { smallColumns, smallLines, smallPool, smallValues } from './small-pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-steps-'))
const pool = smallPool(600)
const file = join(folder, 'pool.jsonl')
let chdb: ChdbServer | undefined
beforeAll(async () => {
  writeFileSync(file, smallLines(pool))
  if (!hasChdb) return
  chdb = await startChdb()
  await chdb.run(`CREATE TABLE small (${smallColumns}) ENGINE = MergeTree ORDER BY id`)
  await chdb.run(`INSERT INTO small VALUES ${smallValues(pool)}`)
})
afterAll(async () => {
  await chdb?.close()
  rmSync(folder, { recursive: true })
})

const alis = async (...words: string[]) => {
  const { code, stdout, stderr } = await alisHere([...words, '--json'])
  expect(`${code} ${stderr}`).toBe('0 ')
  return jsonLines(stdout)
}

const begun = ['--label', 'y', '--seed', '7', '--rounds', '2', '--learner', 'thermometer']
const drawn = async (...words: string[]) =>
  (await alis('run', ...words, ...begun)).flatMap(({ type, draws }) => (type === 'round' ? draws : []))

it.skipIf(!hasChdb)('landmarks and cuts are on a current server what they are in memory: the same points are drawn', async () => {
  const inMemory = await drawn(file)
  const onServer = await drawn('--pool', chdb!.address('small'))
  expect(onServer.map(({ id }) => id)).toEqual(inMemory.map(({ id }) => id))
  // Features are rounded to 32 bits in memory, and what a model makes of them is not rounded there.
  for (const [k, { probability }] of onServer.entries()) expect(probability / inMemory[k]!.probability).toBeCloseTo(1, 4)
})

it('landmarks and cuts of a pool on disk go into the model that is exported, which predicts as the project does', async () => {
  const project = join(folder, 'steps.alis')
  await drawn(file, '--engine', 'duckdb', '--project', project)
  const out = join(folder, 'out')
  await alis('export', project, '--only', 'model,predictions', '--format', 'jsonl', '--out', out)
  const guesses = join(folder, 'guesses.jsonl')
  await alis('predict', join(out, 'model.json'), file, '--out', guesses)
  const said = new Map(jsonLines(readFileSync(guesses, 'utf8')).map((row) => [row.id, row]))
  const exported = jsonLines(readFileSync(join(out, 'predictions.jsonl'), 'utf8')).filter(({ source }) => source === 'model')
  expect(exported.length).toBeGreaterThan(500)
  for (const { id, prediction, confidence } of exported) {
    expect(said.get(id).prediction).toBe(prediction)
    expect(said.get(id).confidence).toBeCloseTo(confidence, 5)
  }
})

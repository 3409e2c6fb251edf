import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { closing } from '../../src/core/closing.ts'
import { uniform } from '../../src/core/randomness.ts'
import { embeddedTable } from '../../src/embeddings/embedded-table.ts'
import { openTable } from '../../src/sources/duckdb-file.ts'
import { jsonLines } from '../command.ts'
import { alisHere } from '../in-process.ts'
import { png, writeTinyImageModel, writeTinyModel } from './tiny-model.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-embed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const library = '@huggingface/transformers' // 474 MB: docs/decisions/embeddings.md
const isThere = await import(library).then(
  () => true,
  () => false,
)

const words = [
  ['good', 'fine', 'great'],
  ['bad', 'poor', 'sad'],
  ['film', 'book'],
] as const
const vectors = words.flatMap((own, k) => own.map((word, j) => [word, [k === 0 ? 1 : 0, k === 1 ? 1 : 0, j / 3]] as const))
const model = join(folder, 'tiny')
writeTinyModel(model, Object.fromEntries(vectors))
const pool = join(folder, 'pool.csv')
const rows = Array.from({ length: 200 }, (_, i) => {
  const lot = (what: string, many: number) => Math.ceil(many * uniform(1, what, `${i}`)) - 1
  const isGood = lot('answer', 2) === 1
  return `t${i},the ${words[2][lot('thing', 2)]} was ${words[isGood ? 0 : 1][lot('word', 3)]},${isGood ? 'yes' : 'no'}`
})
writeFileSync(pool, `id,body,y\n${rows.join('\n')}\n`)

const run = [
  'run',
  pool,
  '--label',
  'y',
  '--learner',
  'linear',
  '--embed',
  'body',
  '--embed-model',
  model,
  '--rounds',
  '2',
  '--seed',
  '1',
  '--json',
]

it.runIf(isThere)('vectors of texts are learned from, are part of the model, and are made of new rows again', async () => {
  const project = join(folder, 'embedded.alis')
  const { code, stdout, stderr } = await alisHere([...run, '--project', project, '--test', '0.25'])
  expect(`${code} ${stderr}`).toBe('0 ')
  const [begun, ...others] = jsonLines(stdout)
  expect(begun.features).toBe(3)
  expect(others.at(-1).test.error).toBeLessThan(0.1) // by the sense of the words: half is chance

  const out = join(folder, 'out')
  await alisHere(['export', project, '--out', out, '--format', 'jsonl'])
  const guesses = join(folder, 'guesses.jsonl')
  const predicted = await alisHere(['predict', join(out, 'model.json'), pool, '--out', guesses])
  expect(`${predicted.code} ${predicted.stderr}`).toBe('0 ')
  const said = new Map(jsonLines(readFileSync(guesses, 'utf8')).map((row) => [row.id, row.prediction]))
  for (const { id, prediction, source } of jsonLines(readFileSync(join(out, 'predictions.jsonl'), 'utf8')))
    if (source === 'model') expect(said.get(id)).toBe(prediction)
})

it.runIf(isThere)('vectors of images are the mean over the parts that the model sees, from paths beside the pool', async () => {
  const own = join(folder, 'pixels')
  writeTinyImageModel(own, 2)
  const pictures = Array.from({ length: 40 }, (_, i) => [0, 85, 170, 255].map((value) => (value + 7 * i) % 256))
  for (const [i, grey] of pictures.entries()) writeFileSync(join(folder, `${i}.png`), png(2, grey))
  const shown = join(folder, 'shown.csv')
  writeFileSync(shown, `id,picture\n${pictures.map((_, i) => `i${i},${i}.png`).join('\n')}\n`)
  await closing(openTable(shown), async (table) => {
    const made = await embeddedTable(table, { path: shown, columns: ['picture'], model: own })
    for await (const { columns } of made.batches([{ name: 'picture embedded', as: 'vector' }])) {
      const found = Array.from(columns[0]!.values as Float32Array, (value) => Math.round(255 * value))
      expect(found).toEqual(pictures.flat())
    }
  })
})

it.runIf(isThere)(
  'a model that cannot be loaded is named',
  async () => {
    const words = run.with(run.indexOf(model), join(folder, 'nowhere'))
    const { code, stderr } = await alisHere(words)
    expect(`${code} ${stderr}`).toContain('2 alis: --embed-model: a model that @huggingface/transformers can load is required')
  },
  60_000,
)

it.runIf(!isThere)('without the package it says what to install', async () => {
  const { code, stderr } = await alisHere(run)
  expect(`${code} ${stderr}`).toContain('2 alis: --embed-model: the package @huggingface/transformers is required, got none')
  expect(stderr).toContain('npm install @huggingface/transformers')
})

it.each([
  [['--embed', 'body'], '--embed: columns and a model are required together, got columns alone'],
  [['--embed-model', 'x'], '--embed: columns and a model are required together, got a model alone'],
  [
    ['--embed', 'body', '--embed-model', 'x', '--engine', 'duckdb'],
    '--embed: a pool in memory is required, got one that is worked on by duckdb',
  ],
])('%j is refused', async (options, message) => {
  const { code, stderr } = await alisHere(['run', pool, '--label', 'y', ...options])
  expect(`${code} ${stderr}`).toContain(`2 alis: ${message}`)
})

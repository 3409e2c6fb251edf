// Landmarks and cuts of a pool on disk: made once and kept in a table, or made in every pass. `node bench/steps/main.ts --points 1000000`
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuUsage } from 'node:process'
import { parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { drawTable } from '../../src/cli/terminal/table.ts'
import { linearModel } from '../../src/core/model.ts'
import { uniform } from '../../src/core/randomness.ts'
import { duckdbDialect } from '../../src/engines/duckdb/dialect.ts'
import { type OpenDuckdbPool, openDuckdbPool } from '../../src/engines/duckdb/pool.ts'
import { baseName, squaresName } from '../../src/engines/sql/features.ts'
import { similarityWeights } from '../../src/features/landmarks.ts'
import type { Recipe } from '../../src/features/recipe.ts'
import { errorOf } from '../../src/losses/error.ts'
import { logistic } from '../../src/losses/logistic.ts'
import { learnerSettings } from '../../src/projects/learner-of.ts'
import { learnStepsIn, stepFeatures } from '../../src/projects/pools/steps-sql.ts'
import { strategies } from '../../src/strategies/catalogue.ts'
import { byteSize, count } from '../../src/text/wording.ts'

const { values } = parseArgs({
  options: { points: { type: 'string', default: '1000000' }, columns: { type: 'string', default: '20' } },
})
const [points, columns] = [Number(values.points), Number(values.columns)]
const folder = mkdtempSync(join(tmpdir(), 'alis-bench-'))
const path = join(folder, 'pool.parquet')
const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()
const cells = Array.from({ length: columns }, (_, j) => `(hash(i, ${j}) % 20000 / 1e4 - 1)::FLOAT AS x${j}`)
await connection.run(`COPY (SELECT 'p' || i AS id, ${cells} FROM range(${points}) t(i)) TO '${path}'`)
connection.closeSync()
instance.closeSync()

const rows: string[][] = []
for (const learner of ['landmarks', 'thermometer'] as const) await measure(learner)
console.log(
  drawTable({
    columns: [
      { title: 'learner' },
      { title: 'further' },
      { title: 'the columns alone', align: 'right' },
      { title: 'made in the pass', align: 'right' },
      { title: 'kept: a pass', align: 'right' },
      { title: 'kept: once', align: 'right' },
      { title: 'on disk', align: 'right' },
    ],
    rows,
  }),
)
console.log(`${count(points)} points with ${columns} columns; seconds of processor time.`)
rmSync(folder, { recursive: true })

async function measure(learner: 'landmarks' | 'thermometer'): Promise<void> {
  const blocks = Array.from({ length: columns }, (_, j) => ({ kind: 'number' as const, sql: `x${j}::DOUBLE` }))
  const pool = await openDuckdbPool({ from: `read_parquet('${path}')`, id: 'id', blocks, fields: {} })
  const parts = blocks.map((_, j) => ({ kind: 'number' as const, column: `x${j}`, mean: 0, scale: 1, indicator: false }))
  const plain = { version: 1 as const, rows: points, width: columns, layout: 'dense' as const, parts }
  const sampled = { size: points, idsInOrder: pool.idsInOrder, features: pool.engine().features }
  const recipe = await learnStepsIn(sampled, plain, learnerSettings({ strategy: 'alis', learner }).steps)
  const steps = stepFeatures(recipe, duckdbDialect)!
  const stepped = pool.with({ blocks, fields: {}, steps })
  const survey = (of: OpenDuckdbPool, width: number, seed: number) =>
    seconds(() =>
      of
        .engine()
        .survey({ model: modelOf(width, seed), loss: logistic, mass: strategies.alis.mass, controls: [errorOf(logistic)] }),
    )

  const alone = await survey(pool, columns, 1)
  await survey(stepped, recipe.width, 2)
  const made = await survey(stepped, recipe.width, 3)

  const base = `(SELECT [${[...blocks.map(({ sql }) => sql), '1e0']}] AS ${baseName} FROM read_parquet('${path}'))`
  const lists = [{ name: squaresName, sql: duckdbDialect.squares(baseName) }, ...steps.lists]
  const from = lists.reduce((inner, { name, sql }) => `(SELECT *, ${sql} AS ${name} FROM ${inner})`, base)
  const once = await seconds(() => pool.ask(`CREATE TABLE kept AS SELECT [${eachOf(recipe)}]::FLOAT[] AS z FROM ${from}`))
  const weights = modelOf(recipe.width, 4).weights[0]!.slice(columns).map(duckdbDialect.number)
  const read = await seconds(() => pool.ask(`SELECT sum(${duckdbDialect.dot('z', weights, true)}) FROM kept`))
  const further = `${steps.width} features`
  rows.push([learner, further, ...[alone, made, alone + read, once].map((s) => s.toFixed(2)), byteSize(4 * points * steps.width)])
  await pool.close()
}

/** Each further feature by itself, as it would be kept. */
function eachOf({ steps = [] }: Recipe): string[] {
  const { dot, number, when } = duckdbDialect
  return steps.flatMap((step, s) =>
    step.kind === 'landmarks'
      ? similarityWeights(step).map((weights) => dot(`alike${s}`, weights.map(number), true))
      : step.features.flatMap((j, k) =>
          step.cuts[k]!.map((cut) => when(`${baseName}[${j + 1}] > ${number(cut)}`, number(step.height), number(0))),
        ),
  )
}

function modelOf(width: number, seed: number) {
  const weights = [Array.from({ length: width }, (_, j) => uniform(seed, 'weight', `${j}`) - 0.5)]
  return linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights, intercepts: [0] })
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const begun = cpuUsage()
  await work()
  const { user, system } = cpuUsage(begun)
  return (user + system) / 1e6
}

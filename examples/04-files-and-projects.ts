// Learn from a file, ask a program, and keep every draw and answer on disk: stopped at any point, the same lines go on.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { featureBuilder, learn, memoryEngine, multinomialLearner, rolesOf, strategies } from 'alis-learn'
import { commandOracle, createProject, openTable } from 'alis-learn/node'

const folder = mkdtempSync(join(tmpdir(), 'alis-example-'))
const table = await openTable('data/digits.csv')
const roles = rolesOf(table, { id: 'id', ignore: ['digit'] })
const builder = featureBuilder(roles, table.rows)
for await (const batch of table.batches(builder.wanted)) builder.add(batch)
const ids = (await table.strings('id')) as string[]
const engine = memoryEngine({ ids, features: builder.finish().features })

// A program that answers: one JSON object a line, in and out. This one looks the digit up; yours may ask a model or a person.
writeFileSync(
  join(folder, 'ask.mjs'),
  `import { readFileSync } from 'node:fs'
   import { createInterface } from 'node:readline'
   const rows = readFileSync('data/digits.csv', 'utf8').trim().split('\\n').map((row) => row.split(','))
   const digits = new Map(rows.map((row) => [row[0], row.at(-1)]))
   for await (const line of createInterface({ input: process.stdin })) {
     const { id } = JSON.parse(line)
     console.log(JSON.stringify({ id, label: digits.get(id) }))
   }`,
)
const classes = [...'0123456789']
const command = `"${process.execPath}" "${join(folder, 'ask.mjs')}"`
const oracle = commandOracle({ command, classes, contents: (wanted) => engine.contents(wanted) })

const project = await createProject(join(folder, 'digits.alis'))
const learner = multinomialLearner()
const plan = { engine, store: project, oracle, learner, strategy: strategies.alis, classes, seed: 7, budget: 60 }
for await (const { round, labels } of learn(plan)) console.log(`round ${round}: ${labels} answers on disk`)

console.log(`${(await project.models()).length} models are on record`)
await oracle.close()
await project.close()
await table.close()
rmSync(folder, { recursive: true })

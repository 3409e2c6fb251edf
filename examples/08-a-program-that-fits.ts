// The same with a program: it reads the file itself, is told after every round what was answered, and says what it makes of it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { columnOracle, learn, memoryStore, strategies } from 'alis-learn'
import { commandLearner, openFilePool, openTable } from 'alis-learn/node'

const folder = mkdtempSync(join(tmpdir(), 'alis-example-'))
const table = await openTable('data/digits.csv')
const [ids, digits] = [await table.strings('id'), await table.strings('digit')]
await table.close()
const truth = new Map(ids.map((id, i) => [id!, digits[i]!]))
const classes = [...'0123456789']

// One JSON object a line, in and out. This one takes the nearest mean; yours may be in any language: docs/guides/your-model.md.
writeFileSync(
  join(folder, 'means.mjs'),
  `import { readFileSync } from 'node:fs'
   import { createInterface } from 'node:readline'
   for await (const line of createInterface({ input: process.stdin })) {
     const { fit, pool, labels, classes } = JSON.parse(line)
     const rows = readFileSync(pool, 'utf8').trim().split('\\n').slice(1).map((row) => row.split(','))
     const pixels = new Map(rows.map(([id, ...cells]) => [id, cells.slice(0, -1).map(Number)]))
     const means = classes.map((name) => {
       const own = labels.filter(({ label }) => label === name).map(({ id }) => pixels.get(id))
       return pixels.get(labels[0].id).map((_, j) => own.reduce((sum, row) => sum + row[j], 0) / (own.length || 1))
     })
     const probabilities = Object.fromEntries([...pixels].map(([id, row]) => {
       const far = means.map((mean) => mean.reduce((sum, value, j) => sum + (value - row[j]) ** 2, 0) / 100)
       const near = far.map((distance) => Math.exp(Math.min(...far) - distance))
       return [id, near.map((each) => each / near.reduce((a, b) => a + b))]
     }))
     console.log(JSON.stringify({ fit, identity: 'means of ' + labels.length, probabilities }))
   }`,
)
const pool = await openFilePool('data/digits.csv', { classes, ignore: ['digit'] })
const learner = commandLearner({ command: `"${process.execPath}" "${join(folder, 'means.mjs')}"`, pool })
const engine = pool.engine()
const parts = { engine, store: memoryStore(), oracle: columnOracle(truth), learner, classes }
for await (const { labels, model } of learn({
  ...parts,
  strategy: strategies.alis,
  start: 30,
  batch: 30,
  budget: 120,
  seed: 7,
})) {
  let wrong = 0
  for await (const batch of engine.predictions(model, learner.loss))
    wrong += batch.filter(({ id, label }) => classes[label] !== truth.get(id)).length
  console.log(`${labels} labels, ${model.name}: ${((100 * wrong) / truth.size).toFixed(1)} % wrong`)
}
await learner.close()
await pool.close()
rmSync(folder, { recursive: true })

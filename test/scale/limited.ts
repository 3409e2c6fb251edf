// One round under a limit of memory in a process of its own: a child of limit.test.ts.
import { linearModel } from '../../src/core/model.ts'
import { successive } from '../../src/designs/successive.ts'
import { openDuckdbPool } from '../../src/engines/duckdb/pool.ts'
import { errorOf } from '../../src/losses/error.ts'
import { logistic } from '../../src/losses/logistic.ts'
import { strategies } from '../../src/strategies/catalogue.ts'

const [path, columns, limit] = process.argv.slice(2) as [string, string, string]
const features = Number(columns)
const peak = () => process.resourceUsage().maxRSS * 1024
const before = peak()
let answers: number[] = []
const pool = await openDuckdbPool(
  {
    from: `read_parquet('${path}')`,
    id: 'id',
    line: 'file_row_number',
    blocks: Array.from({ length: features }, (_, j) => ({ kind: 'number' as const, sql: `f${j}::DOUBLE` })),
    fields: {},
  },
  { memoryLimit: Number(limit), answered: (bytes) => answers.push(bytes) },
)
const engine = pool.engine()
const weights = [Array.from({ length: features }, (_, j) => Math.sin(j))]
const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights, intercepts: [0] })
const question = { model, loss: logistic, mass: strategies.alis.mass, controls: [errorOf(logistic)] }
answers = []
const { draws, survey } = await engine.draw({ ...question, design: successive, size: 50, stream: { seed: 1, name: 'learn/1' } })
const returned = answers.reduce((a, b) => a + b, 0)
await pool.close()
console.log(JSON.stringify({ points: survey.points, draws: draws.length, returned, taken: peak() - before }))

// A few rounds over one pool in a process of its own: a child of main.ts.
import { DuckDBInstance } from '@duckdb/node-api'
import { linearModel } from '../../src/core/model.ts'
import { successive } from '../../src/designs/successive.ts'
import { errorOf } from '../../src/losses/error.ts'
import { logistic } from '../../src/losses/logistic.ts'
import { strategies } from '../../src/strategies/catalogue.ts'
import { engines } from './engines.ts'

export interface Outcome {
  readonly openSeconds: number
  /** Of the fastest round. */
  readonly roundSeconds: number
  /** To read the features and add them up, in the same process: what no round can do without. */
  readonly scanSeconds: number
  /** Values that came back of one round. */
  readonly values: number
  /** Bytes of memory the process held at its peak. */
  readonly peak: number
}

const [name, pattern, columns, bytes] = process.argv.slice(2) as [string, string, string, string]
const features = Number(columns)
const memory = Number(bytes)

const { engine, values, close } = await engines[name]!({ pattern, features, memory })
const openSeconds = performance.now() / 1000
let [roundSeconds, came] = [Number.POSITIVE_INFINITY, 0]
for (let round = 1; round <= 3; round++) {
  const weights = [Array.from({ length: features }, (_, j) => Math.sin(round + j))]
  const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights, intercepts: [0] }) // another one each round
  const question = { model, loss: logistic, mass: strategies.alis.mass, controls: [errorOf(logistic)] }
  const [start, before] = [performance.now(), values()]
  const { draws } = await engine.draw({ ...question, design: successive, size: 100, stream: { seed: 1, name: `learn/${round}` } })
  const ids = draws.map(({ id }) => id)
  await engine.take(ids)
  await engine.features(ids)
  roundSeconds = Math.min(roundSeconds, (performance.now() - start) / 1000)
  came = values() - before
}
await engine.close()
await close()
const scanSeconds = await scan()
const peak = process.resourceUsage().maxRSS * 1024
console.log(JSON.stringify({ openSeconds, roundSeconds, scanSeconds, values: came, peak } satisfies Outcome))

async function scan(): Promise<number> {
  const connection = await (await DuckDBInstance.create(':memory:', { memory_limit: `${memory}B` })).connect()
  const start = performance.now()
  const numbers = Array.from({ length: features }, (_, j) => `f${j}::DOUBLE`)
  await connection.run(`SELECT sum(${numbers.join(' + ')}) FROM read_parquet('${pattern}')`)
  return (performance.now() - start) / 1000
}

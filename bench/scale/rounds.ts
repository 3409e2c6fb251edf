// A few rounds over one pool in a process of its own: a child of main.ts.
import { DuckDBInstance } from '@duckdb/node-api'
import { linearModel } from '../../src/core/model.ts'
import { successive } from '../../src/designs/successive.ts'
import { errorOf } from '../../src/losses/error.ts'
import { logistic } from '../../src/losses/logistic.ts'
import { strategies } from '../../src/strategies/catalogue.ts'
import { engines } from './engines.ts'
import type { Measured } from './table.ts'

/** What it is told: an engine, the files, and how many features, rows and bytes of memory. */
export type Words = [engine: string, pattern: string, features: `${number}`, rows: `${number}`, memory: `${number}`]

const [name, pattern, ...numbers] = process.argv.slice(2) as Words
const [features, rows, memory] = numbers.map(Number) as [number, number, number]

const began = performance.now()
const { engine, bytes, close } = await engines[name]!({ pattern, features, rows, memory })
const openSeconds = (performance.now() - began) / 1000
const coreSecondsSoFar = () => (({ user, system }) => (user + system) / 1e6)(process.cpuUsage())
let [roundSeconds, coreSeconds, came] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0]
for (let round = 1; round <= 3; round++) {
  const weights = [Array.from({ length: features }, (_, j) => Math.sin(round + j))]
  const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights, intercepts: [0] }) // another one each round
  const question = { model, loss: logistic, mass: strategies.alis.mass, controls: [errorOf(logistic)] }
  const [start, worked, before] = [performance.now(), coreSecondsSoFar(), bytes?.() ?? 0]
  const { draws } = await engine.draw({ ...question, design: successive, size: 100, stream: { seed: 1, name: `learn/${round}` } })
  const ids = draws.map(({ id }) => id)
  await engine.take(ids)
  await engine.features(ids)
  roundSeconds = Math.min(roundSeconds, (performance.now() - start) / 1000)
  coreSeconds = Math.min(coreSeconds, coreSecondsSoFar() - worked)
  came = (bytes?.() ?? 0) - before
}
await close()
const peak = process.resourceUsage().maxRSS * 1024
const scanSeconds = name === 'memory' ? undefined : await scan()
const measured: Measured = {
  engine: name,
  shards: 1,
  rows,
  openSeconds,
  roundSeconds,
  coreSeconds,
  peak,
  ...(bytes && { bytes: came }),
  ...(scanSeconds && { scanSeconds }),
}
console.log(JSON.stringify(measured))

/** The scores of one model and their sum, with nothing around it; the second time, so that the files are as near as they were in the rounds. */
async function scan(): Promise<number> {
  const connection = await (await DuckDBInstance.create(':memory:', { memory_limit: `${memory}B` })).connect()
  const products = Array.from({ length: features }, (_, j) => `f${j}::DOUBLE * ${Math.sin(j).toExponential()}`)
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < 2; time++) {
    const start = performance.now()
    await connection.run(`SELECT sum(${products.join(' + ')}) FROM read_parquet('${pattern}')`)
    least = Math.min(least, (performance.now() - start) / 1000)
  }
  return least
}

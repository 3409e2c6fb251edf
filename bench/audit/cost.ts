import { cpus } from 'node:os'
import { DrawInterval } from '../../src/certificates/draw-interval.ts'
import { drawTable } from '../../src/cli/terminal/table.ts'
import { sigmoid } from '../../src/core/numbers.ts'
import { count, percent } from '../../src/text/wording.ts'
import { makePool } from './pools.ts'

const window = 100 // answers timed together

export function costTable(): void {
  const marks = [100, 1000, 3000]
  const rows = [0.01, 0.005].map((each) => [`±${percent(each)}`, ...costPerAnswer(each, marks).map((ms) => ms.toFixed(3))])
  console.log(
    `\nCost: milliseconds an answer takes the interval alone, by answers so far; ${cpus()[0]?.model}, node ${process.version}`,
  )
  console.log(drawTable({ columns: ['tolerance', ...marks.map(count)].map((title) => ({ title, align: 'right' })), rows }))
}

/** Milliseconds an answer costs a DrawInterval by itself, over the hundred answers that end at each mark; median of `repeats`. */
function costPerAnswer(tolerance: number, marks: readonly number[], repeats = 7): number[] {
  const { losses, scores } = makePool({ seed: 1, size: 20_000, kind: 'calibrated', shape: 0.2 })
  const chances = scores.map(sigmoid)
  const sum = (values: Float64Array) => values.reduce((a, b) => a + b, 0)
  const totals = {
    mass: chances.length,
    predictedLoss: sum(chances),
    predictedVariance: sum(chances.map((p) => p * (1 - p))),
    largestDown: Math.max(...chances),
    largestUp: 1 - Math.min(...chances),
  }
  const once = () => {
    const interval = new DrawInterval({ poolSize: chances.length, tolerance, bets: 'single' })
    interval.round(totals)
    const times: number[] = []
    let began = 0
    for (let k = 0; k < Math.max(...marks); k++) {
      if (marks.includes(k + window)) began = performance.now()
      interval.draw({ loss: losses[k]!, mass: 1, predictedLoss: chances[k]! }) // the pool is in no order: its first points will do
      if (marks.includes(k + 1)) times.push((performance.now() - began) / window)
    }
    return times
  }
  const all = Array.from({ length: repeats }, once)
  return marks.map((_, j) => all.map((times) => times[j]!).sort((a, b) => a - b)[Math.floor(repeats / 2)]!)
}

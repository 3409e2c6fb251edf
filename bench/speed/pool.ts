import { dense, type FeatureRows } from '../../src/core/features.ts'
import { type LinearModel, linearModel } from '../../src/core/model.ts'

export interface BenchPool {
  readonly ids: readonly string[]
  readonly features: FeatureRows
}

/** Numbers between −2 and 2 from a plain generator: the same in every run, and quick to make. */
export function randomPool(rows: number, columns: number): BenchPool {
  const values = new Float32Array(rows * columns)
  fillRandom()(values)
  return { ids: Array.from({ length: rows }, (_, row) => `${row}`), features: dense(values, columns) }
}

/** Writes on where it stopped. */
export function fillRandom(): (into: Float32Array) => void {
  let state = 1
  return (into) => {
    for (let k = 0; k < into.length; k++) {
      state = (Math.imul(state, 1664525) + 1013904223) | 0
      into[k] = state / 2 ** 30
    }
  }
}

/** Another model for every round. */
export function modelOf(columns: number, round: number): LinearModel {
  const weights = Array.from({ length: columns }, (_, j) => (3 * Math.sin(j * 3 + round)) / Math.sqrt(columns))
  return linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [weights], intercepts: [0.1] })
}

/** The same with ten classes. */
export function tenOf(columns: number, round: number): LinearModel {
  const classes = Array.from({ length: 10 }, (_, k) => `${k}`)
  const weights = classes.map((_, k) =>
    Array.from({ length: columns }, (_, j) => (3 * Math.sin(j * (k + 3) + round)) / Math.sqrt(columns)),
  )
  return linearModel({ loss: 'cross-entropy', classes, weights, intercepts: classes.map(() => 0.1) })
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!
}

/** Milliseconds by the clock, and of all processors together: the latter mean something also where others are at work. */
export interface Timing {
  readonly clock: number
  readonly processors: number
}

export async function timed(work: () => unknown): Promise<Timing> {
  const [clock, usage] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(usage)
  return { clock: performance.now() - clock, processors: (user + system) / 1000 }
}

export function medianOf(timings: readonly Timing[]): Timing {
  return { clock: median(timings.map(({ clock }) => clock)), processors: median(timings.map(({ processors }) => processors)) }
}

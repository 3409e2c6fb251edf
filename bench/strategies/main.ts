// How long strategies that look at the whole batch take: `npm run bench:strategies`. k-centre is set beside a reference that computes
// every distance anew, on a part of the pool that it can manage.
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { drawTable } from '../../src/cli/terminal/table.ts'
import { emptyBelief } from '../../src/core/belief.ts'
import { dense, type FeatureRows } from '../../src/core/features.ts'
import { hashIds, uniformsOf } from '../../src/core/randomness.ts'
import { logistic } from '../../src/losses/logistic.ts'
import { bmdr } from '../../src/strategies/bmdr.ts'
import { farthestFirst } from '../../src/strategies/core-set.ts'
import { count } from '../../src/text/wording.ts'

const { values } = parseArgs({
  options: {
    points: { type: 'string', default: '100000' },
    columns: { type: 'string', default: '64' },
    batch: { type: 'string', default: '100' },
    labelled: { type: 'string', default: '100' },
  },
})
const [points, columns, batch, labelled] = [values.points, values.columns, values.batch, values.labelled].map(Number) as [
  number,
  number,
  number,
  number,
]
const part = Math.min(points, 1000)

const all = made(points + labelled)
const start = dense(all.subarray(0, labelled * columns), columns)
const pool = all.subarray(labelled * columns)

const whole = timed(() => chosenFrom(dense(pool, columns)))
const small = timed(() => chosenFrom(dense(pool.subarray(0, part * columns), columns)))
const reference = timed(() => naive(pool.subarray(0, part * columns)))
const mixed = timed(() => bmdrFrom(dense(pool, columns)))
const isSame = small.result.join() === reference.result.join()

console.log(
  `batches of ${batch} from rows of ${columns} numbers, ${labelled} labelled; ${cpus()[0]?.model}, node ${process.version}`,
)
console.log(
  drawTable({
    columns: [
      { title: 'work' },
      { title: 'points', align: 'right' },
      { title: 'seconds', align: 'right' },
      { title: 'beside the reference', align: 'right' },
    ],
    rows: [
      ['every distance anew', count(part), reference.seconds.toFixed(2), '1.00'],
      [
        `k-centre, ${isSame ? 'the same points' : 'OTHER POINTS'}`,
        count(part),
        small.seconds.toFixed(3),
        (small.seconds / reference.seconds).toFixed(4),
      ],
      ['k-centre', count(points), whole.seconds.toFixed(2), ''],
      ['bmdr, 1,000 of them', count(points), mixed.seconds.toFixed(2), ''],
    ],
  }),
)
process.exitCode = isSame ? 0 : 1

function chosenFrom(rows: FeatureRows): number[] {
  return farthestFirst(rows, start, batch, uniforms(rows.rows))
}

function bmdrFrom(features: FeatureRows): number {
  const belief = emptyBelief(2)
  const score = Float64Array.from({ length: columns }, (_, j) => Math.sin(j))
  const beliefAt = (i: number) => {
    logistic.read([features.dot(i, score)], belief)
    return belief
  }
  const view = { features, masses: new Float64Array(features.rows).fill(1), beliefAt }
  const selector = bmdr.selector!({ features: start, labels: [], weights: [] })
  return selector.select(view, batch, uniforms(features.rows)).length
}

function uniforms(rows: number) {
  return uniformsOf({ seed: 1, name: 'bench' }, hashIds(Array.from({ length: rows }, (_, i) => `${i}`)))
}

function made(rows: number): Float32Array {
  const numbers = uniforms(rows)
  return Float32Array.from({ length: rows * columns }, (_, k) => numbers(Math.floor(k / columns), k % columns))
}

/** The definition: at every step, the distance of every point to every centre. */
function naive(rows: Float32Array): number[] {
  const centres = Array.from({ length: labelled }, (_, i) => all.subarray(i * columns, (i + 1) * columns))
  const points = Array.from({ length: part }, (_, i) => rows.subarray(i * columns, (i + 1) * columns))
  return Array.from({ length: batch }, () => {
    const distances = points.map((point) => Math.min(...centres.map((centre) => distance(point, centre))))
    const next = distances.indexOf(Math.max(...distances))
    centres.push(points[next]!)
    return next
  })
}

function distance(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let j = 0; j < a.length; j++) sum += (a[j]! - b[j]!) ** 2
  return sum
}

function timed<T>(work: () => T): { result: T; seconds: number } {
  const begun = performance.now()
  const result = work()
  return { result, seconds: (performance.now() - begun) / 1000 }
}

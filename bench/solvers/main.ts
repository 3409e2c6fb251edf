// The solvers of the linear learners side by side: `npm run bench:solvers`. Rows as they come from tables (all of one length), and rows whose
// lengths differ a hundredfold, as those of counts do.
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { drawTable } from '../../src/cli/terminal/table.ts'
import { dense } from '../../src/core/features.ts'
import { uniform } from '../../src/core/randomness.ts'
import type { TrainingSet } from '../../src/learners/learner.ts'
import { logisticLearner } from '../../src/learners/margin-learner.ts'
import { sampledMinimum } from '../../src/learners/sampled-solver.ts'
import { logistic } from '../../src/losses/logistic.ts'
import { count } from '../../src/text/wording.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '20000' },
    columns: { type: 'string', default: '64' },
    l2: { type: 'string', default: '10' },
  },
})
const [rows, columns, l2] = [Number(values.rows), Number(values.columns), Number(values.l2)]

console.log(`logistic regression, ${count(rows)} rows of ${columns}, l2 ${l2}; ${cpus()[0]?.model}, node ${process.version}`)
const table = [0, 2].flatMap((decades) => {
  const training = made(decades)
  const name = decades === 0 ? 'even rows' : 'uneven rows'
  const newton = timed(() => logisticLearner({ l2 }).fit(training, ['no', 'yes']))
  const line = (solver: string, seconds: number, passes: string) => [
    name,
    solver,
    passes,
    seconds.toFixed(2),
    (seconds / newton.seconds).toFixed(1),
  ]
  return [
    line('newton', newton.seconds, ''),
    ...(['importance', 'uniform'] as const).map((sampling) => {
      const { result, seconds } = timed(() => sampledMinimum(logistic, training, l2, { sampling, passes: 2000 }))
      return line(`sampled, ${sampling}`, seconds, `${result.passes}`)
    }),
  ]
})
console.log(
  drawTable({
    columns: [
      { title: 'data' },
      { title: 'solver' },
      { title: 'passes', align: 'right' },
      { title: 'seconds', align: 'right' },
      { title: 'beside newton', align: 'right' },
    ],
    rows: table,
  }),
)

/** Two noisy classes; lengths of rows spread over so many powers of ten. */
function made(decades: number): TrainingSet {
  const cells = new Float64Array(rows * columns)
  const labels = Array.from({ length: rows }, (_, i) => {
    const length = 10 ** (decades * (uniform(1, 'length', `${i}`) - 0.5))
    let score = 0
    for (let j = 0; j < columns; j++) {
      const cell = length * (2 * uniform(1, `cell ${j}`, `${i}`) - 1)
      cells[i * columns + j] = cell
      score += Math.sin(j) * cell
    }
    return score + 4 * (uniform(1, 'noise', `${i}`) - 0.5) > 0 ? 1 : 0
  })
  return { features: dense(cells, columns), labels, weights: labels.map(() => 1) }
}

function timed<T>(work: () => T): { result: T; seconds: number } {
  const begun = process.cpuUsage().user
  const result = work()
  return { result, seconds: (process.cpuUsage().user - begun) / 1e6 }
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dense } from '../../src/core/features.ts'
import { uniform } from '../../src/core/randomness.ts'
import { withWhole } from '../../src/engines/fast/whole.ts'
import { logisticLearner } from '../../src/learners/logistic.ts'
import { logistic } from '../../src/losses/logistic.ts'
import { medianOf, randomPool, type Timing, timed } from './pool.ts'

const [rows, columns] = [2000, 256]

/** The labelled rows of the comparison, also as files for others to read. */
export function fitProblem(folder: string) {
  const { features } = randomPool(rows, columns)
  const values = features.layout!.values
  const direction = Float64Array.from({ length: columns }, (_, j) => uniform(1, 'w', `${j}`) - 0.5)
  const labels = Array.from({ length: rows }, (_, i) => (features.dot(i, direction) + 4 * uniform(1, 'e', `${i}`) > 2 ? 1 : 0))
  const paths = [join(folder, 'rows.f32'), join(folder, 'labels.u8')]
  writeFileSync(paths[0]!, values)
  writeFileSync(paths[1]!, Uint8Array.from(labels))
  return { values, labels, paths }
}

/** The time of a fit, and what it came to: the same objective that scikit-learn has (where the intercept is free). */
export async function measureFit({ values, labels }: ReturnType<typeof fitProblem>) {
  const learner = logisticLearner()
  const features = withWhole(dense(values, columns))
  const training = { features, labels, weights: labels.map(() => 1) }
  const times: Timing[] = []
  let model = await learner.fit(training, ['no', 'yes'])
  for (let k = 0; k < 15; k++) {
    times.push(
      await timed(async () => {
        model = await learner.fit(training, ['no', 'yes'])
      }),
    )
  }
  const beta = Float64Array.from(model.weights[0]!)
  const penalty = beta.reduce((sum, b) => sum + b * b, 0) / 2
  const objective = labels.reduce(
    (sum, label, i) => sum + logistic.value(2 * label - 1, features.dot(i, beta) + model.intercepts[0]!),
    penalty,
  )
  return { timing: medianOf(times), objective }
}

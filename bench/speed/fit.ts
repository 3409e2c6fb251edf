import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FeatureRows } from '../../src/core/features.ts'
import type { LinearModel } from '../../src/core/model.ts'
import { uniform } from '../../src/core/randomness.ts'
import { withRowAlgebra } from '../../src/engines/kernels/row-algebra.ts'
import { logisticLearner } from '../../src/learners/margin-learner.ts'
import { multinomialLearner } from '../../src/learners/multinomial.ts'
import { crossEntropy } from '../../src/losses/cross-entropy.ts'
import { logistic } from '../../src/losses/logistic.ts'
import { medianOf, randomPool, type Timing, timed } from './pool.ts'
import { textFeatures } from './text.ts'

/** Labelled rows to fit, also as files for others to read. */
export interface FitProblem {
  readonly name: string
  readonly features: FeatureRows
  readonly labels: readonly number[]
  readonly classes: number
  /** Columns, then the files: values and labels, and of sparse rows where each begins and the columns. */
  readonly told: readonly string[]
}

const rows = 2000

export function fitProblems(folder: string): FitProblem[] {
  return [
    problemOf(folder, '2,000 rows of 256 features', randomPool(rows, 256).features, 2),
    problemOf(folder, '2,000 rows of 64 features, 10 classes', randomPool(rows, 64).features, 10),
    problemOf(folder, '2,000 texts of 40 words', textFeatures(rows).features.select([...Array(rows).keys()]), 2),
  ]
}

/** Each row has the class whose random direction it goes along furthest, but for some noise. */
function problemOf(folder: string, name: string, features: FeatureRows, classes: number): FitProblem {
  const { columns } = features
  const layout = features.layout!
  const scale = layout.kind === 'sparse' ? 40 : 1
  const directions = Array.from({ length: classes }, (_, c) =>
    Float64Array.from({ length: columns }, (_, j) => scale * (uniform(1, `w${c}`, `${j}`) - 0.5)),
  )
  const labels = Array.from({ length: rows }, (_, i) => {
    const scores = directions.map((direction, c) => features.dot(i, direction) + 4 * uniform(1, `e${c}`, `${i}`))
    return scores.indexOf(Math.max(...scores))
  })
  const kept = {
    values: Float32Array.from(layout.values),
    labels: Uint8Array.from(labels),
    ...(layout.kind === 'sparse' && { starts: layout.starts, indices: layout.indices }),
  }
  const paths = Object.entries(kept).map(([kind, numbers]) => {
    const path = join(folder, `${name}.${kind}`)
    writeFileSync(path, numbers)
    return path
  })
  return { name, features: withRowAlgebra(features), labels, classes, told: [`${columns}`, ...paths] }
}

const batch = 40

/**
 * The time of a fit, and what it came to: the same objective that scikit-learn has (where the intercept is free). As in
 * any round but the first, it may start at the model of a batch of labels fewer.
 */
export async function measureFit({ features, labels, classes }: FitProblem, { isLater }: { isLater: boolean }) {
  const learner = classes === 2 ? logisticLearner() : multinomialLearner()
  const training = { features, labels, weights: labels.map(() => 1) }
  const names = Array.from({ length: classes }, (_, c) => `${c}`)
  const before = [...labels.keys()].slice(batch)
  const fewer = { features: withRowAlgebra(features.select(before)), labels: labels.slice(batch), weights: before.map(() => 1) }
  const previous = isLater ? await learner.fit(fewer, names) : undefined
  const times: Timing[] = []
  let model = await learner.fit(training, names)
  for (let k = 0; k < 40; k++) {
    times.push(
      await timed(async () => {
        model = await learner.fit(training, names, previous)
      }),
    )
  }
  return {
    timing: medianOf(times.slice(10)), // the first are to warm up
    objective: objectiveOf(model, features, labels),
  }
}

function objectiveOf({ weights, intercepts }: LinearModel, features: FeatureRows, labels: readonly number[]): number {
  const betas = weights.map((row) => Float64Array.from(row))
  const penalty = betas.flatMap((beta) => [...beta]).reduce((sum, b) => sum + b * b, 0) / 2
  return labels.reduce((sum, label, i) => {
    const scores = Float64Array.from(betas, (beta, k) => features.dot(i, beta) + intercepts[k]!)
    return sum + (scores.length === 1 ? logistic.value(2 * label - 1, scores[0]!) : crossEntropy.value(label, scores))
  }, penalty)
}

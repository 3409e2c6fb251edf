import { fileURLToPath } from 'node:url'
import { type LoadedRows, loadRows, splitRows } from '../../src/cli/pool.ts'
import { dense } from '../../src/core/features.ts'
import { scorerOf } from '../../src/core/model.ts'
import { standardise, standardiser } from '../../src/features/standardise.ts'
import { multinomialLearner } from '../../src/learners/multinomial.ts'
import { crossEntropy } from '../../src/losses/cross-entropy.ts'
import { errorLens } from '../../src/losses/error-lens.ts'
import { naiveBayes } from './naive-bayes.ts'
import type { Question } from './questions.ts'

export interface DigitsRecipe {
  /** Which digits the classifier learns from; it is asked about all others. */
  readonly seed: number
  readonly classifier: keyof typeof classifiers
}

export const learned = 300 // of 1,797 digits

/** Ten scores for every row of the pool: logits, up to a constant, of the classes. */
type Classifier = (training: LoadedRows, labels: readonly number[], pool: LoadedRows, classes: readonly string[]) => Scores
type Scores = Promise<readonly ArrayLike<number>[]>

const classifiers = {
  async logistic(training, labels, pool, classes) {
    const recipe = standardiser(training.names, training.values)
    const features = standardise(recipe, training.values)
    const model = await multinomialLearner().fit({ features, labels, weights: labels.map(() => 1) }, classes)
    const score = scorerOf(model)
    const others = standardise(recipe, pool.values)
    return pool.ids.map((_, row) => {
      const scores = new Float64Array(classes.length)
      score(others, row, scores)
      return scores
    })
  },
  async 'naive Bayes'(training, labels, pool, classes) {
    return rowsOf(pool).map(naiveBayes(rowsOf(training), labels, classes.length))
  },
} satisfies Record<string, Classifier>

let digits: Promise<LoadedRows> | undefined

/** How often is a classifier of digits wrong? */
export async function askAboutDigits({ seed, classifier }: DigitsRecipe): Promise<Question> {
  digits ??= loadRows(fileURLToPath(new URL('../../data/digits.csv', import.meta.url)), { label: 'digit' })
  const rows = await digits
  const { pool, test: training } = splitRows(rows, learned / rows.ids.length, seed)
  const { ids, labels: truth } = pool
  const classes = [...new Set(truth.values())].map(String).sort()
  const positions = training.ids.map((id) => classes.indexOf(truth.get(id)!))
  const scores = await classifiers[classifier](training, positions, pool, classes)

  const lens = errorLens(crossEntropy, classes.length)
  const columns = Float32Array.from(scores.flatMap((own) => Array.from(lens.see(own))))
  const wrong = ids.filter((id, i) => classes[columns[2 * i + 1]!] !== truth.get(id))
  return { ids, features: dense(columns, 2), classes, truth, value: wrong.length / ids.length }
}

function rowsOf({ ids, names, values }: LoadedRows): Float32Array[] {
  return ids.map((_, i) => values.subarray(i * names.length, (i + 1) * names.length))
}

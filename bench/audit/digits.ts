import { readFile } from 'node:fs/promises'
import { dense } from '../../src/core/features.ts'
import { scorerOf } from '../../src/core/model.ts'
import { uniform } from '../../src/core/randomness.ts'
import type { RowBatch } from '../../src/core/rows.ts'
import { applyRecipe } from '../../src/features/apply.ts'
import { featureBuilder } from '../../src/features/builder.ts'
import type { ColumnRole } from '../../src/features/roles.ts'
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

interface Digit {
  readonly id: string
  readonly pixels: Float32Array
  readonly label: number
}

export const learned = 300 // of 1,797 digits
const classes = Array.from({ length: 10 }, (_, digit) => `${digit}`)

/** Ten scores for every digit of the pool: logits of the classes, up to a constant. */
type Classifier = (training: readonly Digit[], pool: readonly Digit[]) => Promise<readonly ArrayLike<number>[]>

const classifiers = {
  async logistic(training, pool) {
    const builder = featureBuilder(Array.from(training[0]!.pixels, pixelRole), training.length)
    builder.add(batchOf(training))
    const { recipe, features } = builder.finish()
    const labels = training.map(({ label }) => label)
    const score = scorerOf(await multinomialLearner().fit({ features, labels, weights: labels.map(() => 1) }, classes))
    const others = applyRecipe(recipe).features(batchOf(pool))
    return pool.map((_, row) => {
      const scores = new Float64Array(classes.length)
      score(others, row, scores)
      return scores
    })
  },
  async 'naive Bayes'(training, pool) {
    const rows = training.map(({ pixels }) => pixels)
    const labels = training.map(({ label }) => label)
    return pool.map(({ pixels }) => pixels).map(naiveBayes(rows, labels, classes.length))
  },
} satisfies Record<string, Classifier>

let digits: Promise<Digit[]> | undefined

/** How often is a classifier of digits wrong? */
export async function askAboutDigits({ seed, classifier }: DigitsRecipe): Promise<Question> {
  digits ??= readDigits()
  const lots = new Map((await digits).map(({ id }) => [id, uniform(seed, 'learned', id)]))
  const shuffled = (await digits).toSorted((a, b) => lots.get(a.id)! - lots.get(b.id)!)
  const pool = shuffled.slice(learned)
  const scores = await classifiers[classifier](shuffled.slice(0, learned), pool)

  const lens = errorLens(crossEntropy, classes.length)
  const columns = Float32Array.from(scores.flatMap((own) => Array.from(lens.see(own))))
  const wrong = pool.filter(({ label }, i) => columns[2 * i + 1] !== label)
  return {
    ids: pool.map(({ id }) => id),
    features: dense(columns, 2),
    classes,
    truth: new Map(pool.map(({ id, label }) => [id, classes[label]!])),
    value: wrong.length / pool.length,
  }
}

/** The file is ours: id, 64 pixels, digit; no quotes, nothing missing. */
async function readDigits(): Promise<Digit[]> {
  const text = await readFile(new URL('../../data/digits.csv', import.meta.url), 'utf8')
  const lines = text.trim().split('\n').slice(1)
  return lines.map((line) => {
    const [id = '', ...numbers] = line.split(',')
    return { id, pixels: Float32Array.from(numbers.slice(0, -1), Number), label: Number(numbers.at(-1)) }
  })
}

const pixelRole = (_: number, j: number): ColumnRole => ({
  column: { name: `p${j}`, kind: 'number', missing: 0, distinct: 17, meanLength: 1, examples: [] },
  role: 'number',
  reason: 'a pixel',
  isShown: false,
})

function batchOf(digits: readonly Digit[]): RowBatch {
  const columns = Array.from(digits[0]!.pixels, (_, j) => ({
    kind: 'number' as const,
    values: Float32Array.from(digits, ({ pixels }) => pixels[j]!),
  }))
  return { start: 0, rows: digits.length, columns }
}

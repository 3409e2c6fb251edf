// A strategy is data: mix ingredients, pick a design. Here: a mass of your own, beside the default.
import {
  columnOracle,
  dense,
  formula,
  type Ingredient,
  learn,
  logistic,
  logisticLearner,
  memoryEngine,
  memoryStore,
  mixture,
  type Strategy,
  strategies,
  successive,
  uniform,
  uniformMass,
} from 'alis-learn'

/** Gini impurity: 1 − Σ p². */
const gini: Ingredient = {
  name: 'gini',
  value: ({ probabilities }) => 1 - probabilities.reduce((sum, p) => sum + p * p, 0),
  // The same as a formula, for pools that are not in memory: a database computes it where they lie.
  express: ({ probabilities }) => formula.difference(1, formula.sum(...probabilities.map(formula.square))),
}
const mine: Strategy = {
  ...strategies.alis,
  name: 'gini',
  design: successive,
  mass: mixture('gini', [
    { share: 0.8, of: gini },
    { share: 0.2, of: uniformMass }, // no weight can exceed 1/0.2 = 5 times uniform's
  ]),
}

// 1,000 points with eight features; a bent boundary and some noise, so that no linear model is perfect.
const width = 8
const ids = Array.from({ length: 1000 }, (_, i) => `point-${i}`)
const values = Float32Array.from({ length: ids.length * width }, (_, k) => 2 * uniform(2, 'feature', `${k}`) - 1)
const truth = new Map(
  ids.map((id, i) => {
    const [a = 0, b = 0, c = 0, d = 0] = values.subarray(i * width)
    return [id, 2 * a - b + c + 0.5 * d * d + 0.3 * (uniform(2, 'noise', id) - 0.5) > 0.2 ? 'yes' : 'no']
  }),
)
const features = dense(values, width)

for (const strategy of [strategies.uniform, strategies.alis, mine]) {
  let errors = 0
  for (let seed = 0; seed < 10; seed++) errors += await errorAfter(100, strategy, seed)
  console.log(`${strategy.name}: ${(10 * errors).toFixed(1)} % wrong after 100 labels, mean of 10 runs`)
}

async function errorAfter(budget: number, strategy: Strategy, seed: number): Promise<number> {
  const engine = memoryEngine({ ids, features })
  const plan = { engine, store: memoryStore(), oracle: columnOracle(truth), learner: logisticLearner(), classes: ['no', 'yes'] }
  let wrong = 0
  for await (const { model } of learn({ ...plan, strategy, seed, budget })) {
    wrong = 0
    for await (const batch of engine.predictions(model, logistic))
      wrong += batch.filter(({ id, label }) => plan.classes[label] !== truth.get(id)).length
  }
  return wrong / ids.length
}

// A strategy is data: mix ingredients, pick a design. Here: a mass of your own, beside the default.
import {
  columnOracle,
  dense,
  type Ingredient,
  learn,
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
  ranked: false,
  value: ({ probabilities }) => 1 - probabilities.reduce((sum, p) => sum + p * p, 0),
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

const ids = Array.from({ length: 800 }, (_, i) => `point-${i}`)
const values = Float32Array.from({ length: 2400 }, (_, k) => 2 * uniform(2, 'feature', `${k}`) - 1)
const truth = new Map(ids.map((id, i) => [id, values[3 * i]! > 0.3 * values[3 * i + 1]! ? 'yes' : 'no']))

for (const strategy of [strategies.uniform, strategies.alis, mine]) {
  const rounds = learn({
    engine: memoryEngine({ ids, features: dense(values, 3) }),
    store: memoryStore(),
    oracle: columnOracle(truth),
    learner: logisticLearner({ l2: 0.1 }),
    strategy,
    classes: ['no', 'yes'],
    seed: 7,
    budget: 80,
  })
  let wrong = 0
  for await (const { model } of rounds) {
    const [weights = []] = model.weights
    const score = (i: number) => weights.reduce((sum, w, j) => sum + w * values[3 * i + j]!, model.intercepts[0]!)
    wrong = ids.filter((id, i) => (score(i) >= 0 ? 'yes' : 'no') !== truth.get(id)).length
  }
  console.log(`${strategy.name}: ${wrong} of ${ids.length} wrong after 80 labels`)
}

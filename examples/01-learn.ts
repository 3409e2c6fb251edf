// Learn a classifier from 60 of 500 points, and read the unbiased error estimate of every round.
import { columnOracle, dense, learn, logisticLearner, memoryEngine, memoryStore, strategies, uniform } from 'alis-learn'

// A pool: 500 points with two features; only the oracle knows the labels.
const ids = Array.from({ length: 500 }, (_, i) => `point-${i}`)
const values = Float32Array.from({ length: 1000 }, (_, k) => 2 * uniform(1, 'feature', `${k}`) - 1)
const truth = new Map(ids.map((id, i) => [id, values[2 * i]! + values[2 * i + 1]! > 0 ? 'yes' : 'no']))

const rounds = learn({
  engine: memoryEngine({ ids, features: dense(values, 2) }),
  store: memoryStore(),
  oracle: columnOracle(truth),
  learner: logisticLearner(),
  strategy: strategies.alis, // swap one word: strategies.uniform, strategies.paper, …
  classes: ['no', 'yes'],
  seed: 7,
  budget: 60,
})

for await (const { round, labels, estimate } of rounds) {
  console.log(`round ${round}: ${labels} labels, the model before it errs on about ${(100 * estimate!.value).toFixed(1)} %`)
}

// Learn by a design of your own, then certify the model that came of it, on the same store: its answers of learning count as evidence.
import {
  audit,
  columnOracle,
  type Design,
  dense,
  inclusionProbabilities,
  learn,
  logisticLearner,
  memoryEngine,
  memoryStore,
  modelSubject,
  question,
  strategies,
  uniform,
} from 'alis-learn'

/** Points as far apart as masses allow: one wherever the chances, added up along the pool, pass a whole number. */
const systematic: Design = {
  name: 'systematic',
  draw(masses, size, uniforms) {
    const chances = inclusionProbabilities(masses, Math.min(size, masses.length))
    const remaining = masses.reduce((sum, mass) => sum + mass, 0)
    let reached = uniforms(0) // a random start: every point is in the round with its chance
    const draws = []
    for (const [index, probability] of chances.entries()) {
      reached += probability
      if (reached < 1) continue
      reached -= 1
      draws.push({ index, probability, order: draws.length + 1, mass: masses[index]!, remaining })
    }
    return draws
  },
}

const ids = Array.from({ length: 2000 }, (_, i) => `mail-${i}`)
const values = Float32Array.from({ length: 2 * ids.length }, (_, k) => 2 * uniform(1, 'feature', `${k}`) - 1)
const truth = new Map(ids.map((id, i) => [id, values[2 * i]! + 0.5 * values[2 * i + 1]! ** 2 > 0 ? 'spam' : 'ham']))

const engine = memoryEngine({ ids, features: dense(values, 2) })
const store = memoryStore()
const oracle = columnOracle(truth)
const strategy = { ...strategies.alis, name: 'spread', design: systematic }
const rounds = await Array.fromAsync(
  learn({
    engine,
    store,
    oracle,
    strategy,
    learner: logisticLearner(),
    classes: ['ham', 'spam'],
    batch: 20,
    budget: 90,
    seed: 7,
  }),
)
for (const { labels, estimate } of rounds) console.log(`${labels} labels, error before ${estimate!.value.toFixed(3)}`)

// How the scores of a model are read is known by the loss it was fitted with: there is nothing to say about it.
const subject = modelSubject(engine, rounds.at(-1)!.model)
for await (const { answered, questions } of audit({
  subject,
  store,
  oracle,
  questions: [question('error')],
  budget: 150,
  seed: 7,
}))
  console.log(`${answered} answers: error between ${questions[0]!.low!.toFixed(3)} and ${questions[0]!.high!.toFixed(3)}`)

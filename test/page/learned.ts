// A run of every strategy and an audit of what one has learned, with all that they say: the same wherever it runs, or some name was lost.
import {
  audit,
  auditRecord,
  columnOracle,
  dense,
  learn,
  learners,
  logisticLearner,
  memoryEngine,
  memoryStore,
  modelSubject,
  question,
  strategies,
  uniform,
} from 'alis-learn'

const ids = Array.from({ length: 120 }, (_, i) => `p${i}`)
const values = Float32Array.from({ length: 240 }, (_, k) => 2 * uniform(1, 'feature', `${k}`) - 1)
const truth = new Map(ids.map((id, i) => [id, values[2 * i]! > 0.2 ? 'yes' : 'no']))
const classes = ['no', 'yes']

export async function learnedBy(): Promise<unknown> {
  const said: unknown[] = []
  for (const strategy of Object.values(strategies)) {
    const store = memoryStore()
    const engine = memoryEngine({ ids, features: dense(values, 2) })
    const plan = { engine, store, oracle: columnOracle(truth), learner: logisticLearner(), strategy, classes, seed: 7, rounds: 3 }
    const rounds = await Array.fromAsync(learn(plan))
    said.push(
      ...rounds.map(({ draws, model, estimate, now }) => [
        strategy.name,
        draws.map(({ id }) => id),
        estimate,
        now,
        model.weights,
      ]),
    )
    if (strategy !== strategies.alis) continue
    const subject = modelSubject(engine, rounds.at(-1)!.model)
    const asked = { subject, store, oracle: plan.oracle, questions: [question('error')], budget: 30, seed: 7 }
    for await (const { questions } of audit(asked)) said.push(questions.map(({ low, high, state }) => [low, high, state]))
    said.push((await auditRecord(subject, store)).rounds.length)
  }
  // As a message carries it; the last digits are those of each machine's exponential function.
  return JSON.parse(
    JSON.stringify([said, Object.keys(learners)], (_, each: unknown) =>
      typeof each === 'number' ? Number(each.toPrecision(8)) : each,
    ),
  )
}

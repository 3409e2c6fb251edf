// A model of your own in the loop, in twenty lines: it gets ids, labels and weights, and says how probable each class is for every point.
import { columnOracle, learn, memoryStore, type OwnFit, ownLearner, ownPool, strategies, uniform } from 'alis-learn'

// 600 points on a plane, in two rings: no straight line can tell them apart.
const plane = new Map(
  Array.from({ length: 600 }, (_, i): [string, [number, number]] => {
    const [angle, radius] = [2 * Math.PI * uniform(3, 'angle', `${i}`), (i % 2 ? 1 : 2) + 0.5 * uniform(3, 'radius', `${i}`)]
    return [`point-${i}`, [radius * Math.cos(angle), radius * Math.sin(angle)]]
  }),
)
const truth = new Map([...plane].map(([id, [x, y]]) => [id, Math.hypot(x, y) > 1.75 ? 'outer' : 'inner']))
const classes = ['inner', 'outer']

/** Neighbours vote, the near ones more. Anything else may stand here: a library, a file, a service that is asked. */
function fit({ labels, classes }: OwnFit) {
  const probabilities = new Map<string, number[]>()
  for (const [id, here] of plane) {
    const votes = classes.map(() => 0.01)
    for (const { id: other, label, weight } of labels) {
      const there = plane.get(other)!
      votes[classes.indexOf(label)]! += weight * Math.exp(-8 * Math.hypot(here[0] - there[0], here[1] - there[1]) ** 2)
    }
    const all = votes.reduce((sum, vote) => sum + vote, 0)
    probabilities.set(
      id,
      votes.map((vote) => vote / all),
    )
  }
  return { identity: `neighbours of ${labels.length} labels`, probabilities }
}

const pool = await ownPool({ ids: [...plane.keys()], classes })
const learner = ownLearner('neighbours', pool, fit)
const [engine, store, oracle] = [pool.engine(), memoryStore(), columnOracle(truth)]

for await (const { labels, model, now } of learn({
  ...{ engine, store, oracle, learner, classes },
  ...{ strategy: strategies.alis, start: 20, batch: 20, budget: 140, seed: 7 },
})) {
  const range = now ? `${(100 * now.low).toFixed(0)} to ${(100 * now.high).toFixed(0)} %` : 'not said'
  console.log(`${labels} labels, ${model.name ?? 'no model yet'}: wrong of the rest ${range}`)
}

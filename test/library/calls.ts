// What people who embed the library get wrong, and what they are told: one line a call.
import {
  type AuditPlan,
  audit,
  columnOracle,
  type Design,
  DrawInterval,
  dense,
  type LearnPlan,
  learn,
  logisticLearner,
  memoryEngine,
  memoryStore,
  type Oracle,
  predictionsSubject,
  question,
  sample,
  sparse,
  strategies,
  successive,
} from '../../src/index.ts'

/** A call that must be refused. `answers`: how many answers were paid for by then; none, unless said otherwise. */
export interface BadCall {
  readonly name: string
  readonly call: (paid: Oracle) => unknown
  readonly message: string
  readonly code?: 'bad-input' | 'oracle-failed'
  readonly answers?: number
}

const ids = Array.from({ length: 60 }, (_, i) => `p${i}`)
const values = Float32Array.from({ length: 60 }, (_, i) => i - 29.5)
export const truth = new Map(ids.map((id, i) => [id, i < 30 ? 'no' : 'yes']))
const newEngine = () => memoryEngine({ ids, features: dense(values, 1) })

export const planWith = (changes: Partial<LearnPlan>): LearnPlan => ({
  engine: newEngine(),
  store: memoryStore(),
  oracle: columnOracle(truth),
  learner: logisticLearner(),
  strategy: strategies.alis,
  classes: ['no', 'yes'],
  seed: 7,
  rounds: 3,
  ...changes,
})
const learning = (changes: Partial<LearnPlan>) => (oracle: Oracle) => Array.fromAsync(learn(planWith({ oracle, ...changes })))
const auditing = (changes: Partial<AuditPlan>) => (oracle: Oracle) => {
  const subject = predictionsSubject({ ids, predicted: ids.map(() => 'no'), classes: ['no', 'yes'] })
  const plan = { subject, store: memoryStore(), oracle, questions: [question('error')], budget: 20, seed: 7 }
  return Array.fromAsync(audit({ ...plan, ...changes }))
}

/** Answers so many of the points it is asked for, each by what it makes of the truth. */
const oracleThat = (answers: number, label = (id: string) => truth.get(id)!): Oracle => ({
  name: 'mine',
  async *label(open) {
    for (const id of open.slice(0, answers)) yield { id, label: label(id) }
  },
  async close() {},
})
const drawingBy = (draw: Design['draw'], name = 'mine') =>
  learning({ strategy: { ...strategies.uniform, design: { name, draw } } })
const spoiled =
  (change: object): Design['draw'] =>
  (...args) =>
    successive.draw(...args).map((draw) => ({ ...draw, ...change }))
const reused = async (use: (engine: LearnPlan['engine']) => Promise<unknown>) => {
  const engine = newEngine()
  await engine.take(['p1', 'p2', 'p3'])
  return use(engine)
}
const spoiledFeatures = (value: number) => dense(values.with(7, value), 1)

export const badCalls: readonly BadCall[] = [
  {
    name: 'an oracle that says nothing',
    call: () => learning({})(oracleThat(0)),
    message: 'mine: an answer for every point is required, got none for "p47" and 9 more',
    code: 'oracle-failed',
  },
  {
    name: 'an oracle that answers half',
    call: () => learning({})(oracleThat(5)),
    message: 'mine: an answer for every point is required, got none for "p38" and 4 more',
    code: 'oracle-failed',
  },
  {
    name: 'an answer that is no class',
    call: () => learning({})(oracleThat(10, () => 'maybe')),
    message: 'mine: one of the classes no, yes is required, got "maybe" for "p47"',
    code: 'oracle-failed',
  },
  {
    name: 'an answer to an audit that is no class',
    call: () => auditing({})(oracleThat(10, () => 'maybe')),
    message: 'answer: one of no, yes is required, got maybe',
  },
  {
    name: 'a feature that is no number',
    call: () => memoryEngine({ ids, features: spoiledFeatures(Number.NaN) }),
    message: 'features: finite numbers are required, got NaN in row 7 of 60',
  },
  {
    name: 'a feature that is infinite',
    call: () => memoryEngine({ ids, features: spoiledFeatures(Number.POSITIVE_INFINITY) }),
    message: 'features: finite numbers are required, got Infinity in row 7 of 60',
  },
  {
    name: 'a sparse feature that is no number',
    call: () => memoryEngine({ ids: ['a', 'b'], features: sparseOf([0, 1, 2], [0, 1], [1, Number.NaN]) }),
    message: 'features: finite numbers are required, got NaN in row 1 of 2',
  },
  {
    name: 'a sparse column out of range',
    call: () => memoryEngine({ ids: ['a', 'b'], features: sparseOf([0, 1, 2], [0, 2], [1, 1]) }),
    message: 'features: columns below 2 are required, got 2 in entry 1',
  },
  {
    name: 'sparse rows that overlap',
    call: () => memoryEngine({ ids: ['a', 'b'], features: sparseOf([0, 3, 2], [0, 1], [1, 1]) }),
    message: 'features: starts that do not fall are required, got 2 after 3',
  },
  {
    name: 'a class twice',
    call: learning({ classes: ['no', 'no'] }),
    message: 'classes: names that differ are required, got "no" twice',
  },
  {
    name: 'a class without a name',
    call: learning({ classes: ['no', ' '] }),
    message: 'classes: a name for each is required, got " " at 2',
  },
  {
    name: 'a class twice, of predictions',
    call: () => predictionsSubject({ ids, predicted: ids.map(() => 'no'), classes: ['no', 'yes', 'no'] }),
    message: 'classes: names that differ are required, got "no" twice',
  },
  {
    name: 'a class twice, of a sample',
    call: () => sample({ classes: ['no', 'no'], of: 10, answers: [] }),
    message: 'classes: names that differ are required, got "no" twice',
  },
  {
    name: 'an engine that another store has drawn from, to learn',
    call: (oracle) => reused((engine) => learning({ engine })(oracle)),
    message: 'engine: one whose points were taken by this record alone is required, got 3 points taken and 0 on record',
  },
  {
    name: 'predictions that another store has drawn from, to audit',
    call: async (oracle) => {
      const subject = predictionsSubject({ ids, predicted: ids.map(() => 'no'), classes: ['no', 'yes'] })
      await auditing({ subject })(oracleThat(60))
      return auditing({ subject })(oracle)
    },
    message: 'engine: one whose points were taken by this record alone is required, got 20 points taken and 0 on record',
  },
  {
    name: 'a design that is a function',
    call: learning({ strategy: { ...strategies.uniform, design: successive.draw as never } }),
    message: 'design: a name and how to draw are required, got a function',
  },
  {
    name: "a design by another's name",
    call: drawingBy((masses, size, uniforms) => successive.draw(masses, size, uniforms), 'successive'),
    message: "design: a name of its own is required, got successive, which is another's",
  },
  {
    name: 'a design without probabilities',
    call: drawingBy(spoiled({ probability: 1.5 })),
    message: 'design mine: a probability in (0, 1] is required, got 1.5 for "p4"',
    answers: 10, // of the start, which is uniform; the draws of the design are not on record
  },
  {
    name: 'a design that draws a point twice',
    call: drawingBy(spoiled({ index: 0 })),
    message: 'design mine: points of the pool, none twice, are required, got others',
    answers: 10,
  },
  {
    name: 'more draws than points',
    call: () => {
      const interval = new DrawInterval({ poolSize: 2 })
      interval.round({ mass: 2, predictedLoss: 1, predictedVariance: 0.5, largestDown: 0.5, largestUp: 0.5 })
      for (let i = 0; i < 3; i++) interval.draw({ loss: 0, mass: 1, predictedLoss: 0.5 })
    },
    message: 'draw: at most as many as the 2 points of the pool are required, got one more',
  },
]

function sparseOf(starts: number[], indices: number[], entries: number[]) {
  return sparse({ starts: Uint32Array.from(starts), indices: Uint32Array.from(indices), values: Float32Array.from(entries) }, 2)
}

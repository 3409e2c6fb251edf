import { type RoundView, RunningLimits } from '../../src/certificates/running.ts'
import type { ReadDraw, RunningRound } from '../../src/certificates/running-readings.ts'
import { expectedLossOf } from '../../src/core/belief.ts'
import { type Model, predictedClass, scorerOf, scoresPerPoint } from '../../src/core/model.ts'
import type { Now } from '../../src/core/now.ts'
import { uniform } from '../../src/core/randomness.ts'
import { drawnIds, isFor, type Label, type RoundFacts } from '../../src/core/record.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { importLabels } from '../../src/import-labels.ts'
import { type LearnPlan, learn } from '../../src/loop.ts'
import { errorOf } from '../../src/losses/error.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import { running } from '../../src/running/running.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { type ChanceWorld, chanceWorld } from './chance-world.ts'

/** Plain data: it goes to a worker. */
export interface AttackRun {
  readonly seed: number
  /** As a twin has it that takes no notice of where models differ: it must miss. */
  readonly isBlind: boolean
}

export interface AttackOutcome {
  readonly seed: number
  readonly design: string
  readonly learner: string
  /** Whether the interval after any round, or one in the middle of a round about any model, left the truth out. */
  readonly isMissed: boolean
  readonly faults: readonly string[]
  readonly looks: number
  /** Of bets that begin at once: wealth against the truth in the end, 1 in the mean, or less for independent draws. */
  readonly wealth: { readonly upper: number; readonly lower: number }
}

type Store = ReturnType<typeof memoryStore>

/** Goes through what happens in a world, and holds everything that is said to the truth. */
export async function runAttack({ seed, isBlind }: AttackRun): Promise<AttackOutcome> {
  const seeing = chanceWorld(seed)
  const world = isBlind
    ? { ...seeing, engine: (pool: Parameters<ChanceWorld['engine']>[0]) => blind(seeing.engine(pool)) }
    : seeing
  const { ids, classes, truth, told, began, given, strategy } = world
  const isRevised = ids.some((id) => told.get(id) !== truth.get(id))
  const store = memoryStore()
  const seen: Seen = { isMissed: false, faults: [], looks: 0 }
  await goOn(world, store, { size: began, budget: world.budgets[0], answers: told, seed }, isRevised ? undefined : seen)
  for (const { round, draws } of await store.rounds())
    for (const { id } of draws) if (told.get(id) !== truth.get(id)) await store.revise(round, id, truth.get(id)!)
  if (ids.length > began) await store.grow(ids.length)
  const known = new Set((await store.rounds()).flatMap(drawnIds))
  const labels = new Map(given.filter((id) => !known.has(id) && truth.get(id) !== null).map((id) => [id, truth.get(id)!]))
  if (labels.size > 0) await importLabels({ engine: engineOf(world, ids.length), store, classes, seed, labels })
  await goOn(world, store, { size: ids.length, budget: world.budgets[1], answers: truth, seed }, seen)
  await lookInBetween(world, store, seen, seed)
  return {
    seed,
    design: `${strategy.name}, ${strategy.design.name}`,
    learner: world.learnerName,
    ...seen,
    wealth: await wealthAtTruth(world, store),
  }
}

interface Seen {
  isMissed: boolean
  readonly faults: string[]
  looks: number
}

const blind = (engine: Engine): Engine => ({
  ...engine,
  async compare(request, signal) {
    const comparison = await engine.compare(request, signal)
    return { ...comparison, differing: comparison.differing.map(() => 0) }
  },
})

const engineOf = ({ ids, features, engine }: ChanceWorld, size: number): Engine =>
  engine({ ids: ids.slice(0, size), features: features.select(Array.from({ length: size }, (_, i) => i)) })

interface Stretch {
  readonly size: number
  readonly budget: number
  readonly answers: ReadonlyMap<string, Label>
  readonly seed: number
}

async function goOn(world: ChanceWorld, store: Store, { size, budget, answers, seed }: Stretch, seen?: Seen): Promise<void> {
  const { classes, strategy, start, batch, learner } = world
  const engine = engineOf(world, size)
  const oracle = columnOracle(answers)
  const plan: LearnPlan<Model> = { engine, store, oracle, learner, strategy, classes, seed, start, batch, budget, rounds: 60 }
  for await (const { model, now } of learn(plan)) {
    if (!now || !seen) continue
    const known = new Set((await store.rounds()).flatMap(drawnIds))
    const left = world.ids.slice(0, size).filter((id) => !known.has(id))
    judge(now, errorsOf(world, model, left), left.length, seen, `seed ${seed}`)
  }
}

/** Looks at rounds some of whose answers have not come yet, about whichever model. */
async function lookInBetween(world: ChanceWorld, store: Store, seen: Seen, seed: number): Promise<void> {
  const { ids, classes } = world
  const rounds = await store.rounds()
  const models = await store.models()
  for (let k = 0; k < 6; k++) {
    const lot = (name: string) => uniform(seed, `between/${k}`, name)
    const last = rounds[Math.floor(lot('round') * rounds.length)]!
    const came = new Map([...last.answers].filter(([id]) => lot(id) < 0.7))
    const record = [...rounds.slice(0, last.round), { ...last, answers: came, isClosed: false }]
    const { model } = models[Math.floor(lot('model') * models.length)]!
    const engine = engineOf(world, ids.length)
    const source = { rounds: async () => record, model: store.model }
    const now = await running({ record: source, engine, loss: world.learner.loss, classes }).look(model)
    const answered = new Set(record.flatMap(({ answers }) => [...answers.keys()]))
    const left = ids.filter((id) => !answered.has(id))
    if (now) judge(now, errorsOf(world, model, left), left.length, seen, `seed ${seed}, in between`)
  }
}

interface Errors {
  /** "Cannot tell" as none of any model, and as one. */
  readonly least: number
  readonly most: number
}

function judge(now: Now, { least, most }: Errors, points: number, seen: Seen, where: string): void {
  const { low, high, value } = now
  seen.looks++
  if (least / points < low - 1e-12 || most / points > high + 1e-12) seen.isMissed = true
  if (!(0 <= low && low <= value && value <= high && high <= 1)) seen.faults.push(`${where}: ${JSON.stringify(now)}`)
}

function classesOf({ ids, features }: ChanceWorld, model: Model): ReadonlyMap<string, number> {
  const scores = new Float64Array(scoresPerPoint(model))
  const score = scorerOf(model)
  return new Map(
    ids.map((id, row) => {
      score(features, row, scores)
      return [id, predictedClass(scores)]
    }),
  )
}

function errorsOf(world: ChanceWorld, model: Model, ids: readonly string[]): Errors {
  const given = classesOf(world, model)
  const wrong = ids.filter((id) => world.classes[given.get(id)!] !== world.truth.get(id))
  return { least: wrong.filter((id) => world.truth.get(id) !== null).length, most: wrong.length }
}

const atOnce = [0, 5, 20].map((start, j) => ({ weight: 1 / 3, start, target: 0.3 * 0.5 ** j }))

async function wealthAtTruth(world: ChanceWorld, store: Store): Promise<AttackOutcome['wealth']> {
  const { ids, began } = world
  const limits = new RunningLimits({ bets: atOnce })
  const known = new Set<string>()
  const views: RoundView[] = []
  for (const round of await store.rounds()) {
    const model = isFor('learn', round) && round.stream !== 'learn/0' ? await store.model(round.model) : undefined
    if (model) {
      const left = ids.slice(0, round.survey.points + known.size > began ? ids.length : began).filter((id) => !known.has(id))
      const { least, most } = errorsOf(world, model, left)
      limits.add(readingOf(world, round, model))
      views.push({ mostErrors: most, leastErrors: least, differing: 0, added: 0, gone: 0 })
    }
    for (const id of drawnIds(round)) known.add(id)
  }
  return {
    upper: Math.exp(limits.logWealth('upper', 0, views)),
    lower: Math.exp(limits.logWealth('lower', 0, views)),
  }
}

function readingOf(
  world: ChanceWorld,
  { survey, draws, revisions, answers, design, size }: RoundFacts,
  model: Model,
): RunningRound {
  const { classes } = world
  const error = errorOf(world.learner.loss)
  const given = classesOf(world, model)
  const first = new Map(revisions.toReversed().map(({ id, from }) => [id, from]))
  const lossOf = (id: string, label: Label) => (label === null ? null : classes[given.get(id)!] === label ? 0 : 1)
  const read = draws.map(({ id, mass, probability, scores }): ReadDraw => {
    const label = answers.get(id)!
    const told = first.has(id) ? first.get(id)! : label
    return { loss: lossOf(id, label), told: lossOf(id, told), mass, probability, predictedLoss: expectedLossOf(error, scores) }
  })
  const { points, mass, controls } = survey
  const { predictedLoss, predictedVariance, largestUp, largestDown } = controls[0]!
  const expected = Math.min(size, points)
  const reach = (most: number) => (design === 'bernoulli' ? Math.max(1, (most * mass) / expected) : most)
  const ranges = { largestUp: reach(largestUp), largestDown: reach(largestDown) }
  const totals = { points, mass, predictedLoss, predictedVariance, ...ranges, expected, isLearned: true }
  return { ...totals, design: design as RunningRound['design'], draws: read }
}

import { audit } from '../../src/audit.ts'
import { AlisError } from '../../src/core/errors.ts'
import { dense } from '../../src/core/features.ts'
import type { Label } from '../../src/core/record.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import { importLabels } from '../../src/import-labels.ts'
import { certify } from '../../src/projects/certify.ts'
import { type AskedAnswer, askAll } from '../../src/questions/ask.ts'
import { firstFault } from '../../src/questions/replay.ts'
import type { GrowingStore } from '../../src/stores/store.ts'
import { testFrame } from '../../test/questions/test-pool.ts'
import { asked, type Claim, Claims } from './claims.ts'
import { recordIn } from './coverage-run.ts'
import { type Dice, diceOf } from './dice.ts'
import { oracleOf, wishesOf } from './history-choices.ts'
import { type ModelName, modelNames, type World, worldOf } from './history-world.ts'
import type { PosedQuestion } from './posed-questions.ts'

/** A store whose pool may grow, and which can be closed and opened again. */
export interface HistoryStore {
  current(): GrowingStore
  reopen(): Promise<void>
}

export interface HistoryOutcome {
  readonly claims: readonly Claim[]
  /** Intervals that were looked at. */
  readonly printed: number
  readonly faults: readonly string[]
}

/** A project on its way. */
interface Course {
  readonly seed: number
  readonly dice: Dice
  readonly world: World
  readonly store: HistoryStore
  readonly claims: Claims
  /** Points in the pool at the start, and after each addition. */
  readonly sizes: number[]
  /** Rounds on record when the audit of a model began. */
  readonly starts: Map<ModelName, number>
}

/**
 * Actions on one project in a random order: audits of two models with changing questions and goals, killed, resumed and certified; answers
 * put right, labels given, points added. Everything that is printed on the way is held against the truth of what it claims.
 */
export async function runHistory(seed: number, store: HistoryStore, length = 9): Promise<HistoryOutcome> {
  const dice = diceOf(seed, 'history')
  const world = worldOf(seed, dice)
  const course: Course = { seed, dice, world, store, claims: new Claims(), sizes: [world.start], starts: new Map() }
  const done: string[] = []
  for (let step = 0; step < length; step++) {
    const name = dice.pick([
      'audit',
      'audit',
      'audit',
      'audit',
      'certify',
      'certify',
      'ask',
      'review',
      'give',
      'grow',
      'reopen',
    ] as const)
    done.push(name)
    try {
      await actions[name](course)
    } catch (error) {
      if (!isExpected(error)) course.claims.faults.push(`${error instanceof Error ? error.stack : error}`)
    }
    if (course.claims.faults.length > 0) break
  }
  const { all, printed, faults } = course.claims
  return { claims: all, printed, faults: faults.map((fault) => `history ${seed}, ${done.join(', ')}: ${fault}`) }
}

/** What is refused, and rightly so. */
const isExpected = (error: unknown) =>
  error instanceof AlisError &&
  [
    'labels: the round that is open must be finished first',
    'audit: somebody to ask is required',
    'audit: a goal that takes answers is required',
    'column: killed',
  ].some((start) => error.message.startsWith(start))

const actions = {
  async audit(course: Course): Promise<void> {
    const { dice, store } = course
    const model = modelFor(course)
    const rounds = dice.chance(0.5) ? 1 + dice.whole(3) : Number.POSITIVE_INFINITY
    const { goal, ...wishes } = wishesOf(dice, course.sizes.at(-1)!)
    const subject = course.world.audited(model, course.sizes)
    const oracle = oracleOf(dice, course.world)
    const plan = { ...wishes, ...goal, seed: course.seed, subject, store: store.current(), oracle }
    await asAudit(course, model, async () => {
      let seen = 0
      for await (const { questions } of audit(plan)) {
        await print(course, model, questions)
        if (++seen >= rounds) break // stopped between rounds
      }
    })
  },

  async certify(course: Course): Promise<void> {
    const model = modelFor(course)
    const { dice, seed } = course
    const options = {
      ...wishesOf(dice, course.sizes.at(-1)!),
      seed,
      together: true,
      strategy: 'alis-audit',
      seedChosen: true,
    } as const
    const audited = course.world.audited(model, course.sizes)
    await asAudit(course, model, async () => {
      const rounds = certify(audited, { oracle: oracleOf(course.dice, course.world), store: course.store.current() }, options)
      let step = await rounds.next()
      for (; !step.done; step = await rounds.next()) await print(course, model, step.value.questions)
      const { certificate } = step.value
      const { questions } = certificate
      await print(course, model, questions)
      const truthOf = await truthFor(course, model)
      if (truthOf) course.claims.holdTogether(nameOf(course, model), questions, truthOf)
      const fault = await firstFault(await asBegun(course, model), JSON.parse(JSON.stringify(certificate)))
      if (fault) course.claims.faults.push(`an honest certificate must verify, got ${fault}`)
    })
  },

  /** All that can be asked of what is on record. */
  async ask(course: Course): Promise<void> {
    for (const model of modelNames) {
      if (!course.starts.has(model)) continue
      const record = await recordIn(await asBegun(course, model), course.store.current())
      await print(
        course,
        model,
        askAll(
          record,
          course.sizes.flatMap((poolSize) => asked.map(({ spec }) => (course.sizes.length > 1 ? { ...spec, poolSize } : spec))),
        ),
      )
    }
  },

  /** All answers are looked through, and what is wrong is put right. */
  async review(course: Course): Promise<void> {
    const store = course.store.current()
    for (const { round, isClosed, answers } of await store.rounds())
      for (const [id, label] of answers) {
        const right = course.world.answerTo(id)
        if (label !== right) await (isClosed ? store.revise(round, id, right) : store.answer(round, id, right))
      }
    await actions.ask(course)
  },

  /** Labels from elsewhere; half of the time all of them of points predicted wrongly. */
  async give({ dice, world, sizes, store, seed }: Course): Promise<void> {
    const ofErrors = dice.chance(0.5)
    const ids = world.ids.slice(0, sizes.at(-1))
    const isChosen = (id: string) => world.answerTo(id) !== null && dice.chance(0.1) && (!ofErrors || world.isWrong(id))
    const labels = new Map(ids.filter(isChosen).map((id): [string, Label] => [id, world.answerTo(id)]))
    const engine = memoryEngine({ ids, features: dense(new Float32Array(ids.length), 1) })
    await importLabels({ engine, store: store.current(), classes: testFrame.classes, seed, labels })
  },

  async grow(course: Course): Promise<void> {
    const size = Math.min(course.world.ids.length, course.sizes.at(-1)! + 1 + course.dice.whole(15))
    if (size > course.sizes.at(-1)!) course.sizes.push(size)
    await course.store.current().grow(size)
  },

  reopen: ({ store }: Course): Promise<void> => store.reopen(),
}

const modelFor = ({ dice }: Course): ModelName => (dice.chance(0.75) ? 'first' : 'second')
const nameOf = ({ sizes }: Course, model: ModelName) => ({ name: model, poolSizes: sizes })

/** Runs an action that may open rounds, and remembers where the audit began. */
async function asAudit(course: Course, model: ModelName, action: () => Promise<void>): Promise<void> {
  const { starts, store } = course
  const before = (await store.current().rounds()).length
  const isNew = !starts.has(model)
  if (isNew) starts.set(model, before)
  try {
    await action()
  } finally {
    if (isNew && (await store.current().rounds()).length === before) starts.delete(model)
  }
}

/** The subject of an audit as it was when it began: without the points that were drawn before. */
async function asBegun(course: Course, model: ModelName) {
  const subject = course.world.audited(model, course.sizes)
  await subject.pool.take([...(await drawnBefore(course, model))])
  return subject
}

async function drawnBefore(course: Course, model: ModelName): Promise<Set<string>> {
  const before = (await course.store.current().rounds()).slice(0, course.starts.get(model))
  return new Set(before.flatMap(({ draws }) => draws.map(({ id }) => id)))
}

async function print(course: Course, model: ModelName, said: readonly AskedAnswer[]): Promise<void> {
  course.claims.hold(nameOf(course, model), said, await truthFor(course, model))
}

/** The truth of what an audit claims; missing while some answer stands that will be put right. */
async function truthFor(course: Course, model: ModelName) {
  const { world, store } = course
  const rounds = await store.current().rounds()
  const isReviewed = rounds.every(({ answers }) => [...answers].every(([id, label]) => label === world.answerTo(id)))
  if (!isReviewed) return undefined
  const without = await drawnBefore(course, model)
  return (question: PosedQuestion, poolSize: number) => world.truthOf(question, model, poolSize, without)
}

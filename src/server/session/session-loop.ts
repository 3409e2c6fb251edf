import { isFor } from '../../core/record.ts'
import type { Remote } from '../../core/thread-calls.ts'
import { learnerFor } from '../../learners/catalogue.ts'
import type { Answer } from '../../oracles/oracle.ts'
import { keepAsked } from '../../projects/audit-facts.ts'
import { knownSettings } from '../../projects/settings.ts'
import { isForeseen, publicFailure } from '../failures.ts'
import type { RunningWorker, StartWorker } from '../worker/start-worker.ts'
import type { JobProgress, ParentMethods, WorkerMethods } from '../worker/worker-protocol.ts'
import { closedRoundReader } from './closed-rounds.ts'
import { isBehind } from './now-view.ts'
import { openingPhase } from './project-view.ts'
import { answersInOrder, purposeOf, type RecordedRound } from './record.ts'
import { isAtRest, type Labelling, modelSummary, roundsFor, type SessionState } from './state.ts'

interface Loop {
  readonly state: SessionState
  readonly startWorker: StartWorker
  log(error: unknown): void
  running: RunningWorker | undefined
  /** Resolves when the pool is ready, and rejects if it cannot be loaded. */
  readonly ready: PromiseWithResolvers<void>
  /** Ends the wait for something to do. */
  wake(): void
}

export type SessionLoop = ReturnType<typeof startLoop>

/** Gives the worker one job after another for as long as the session is open, and puts the rounds it opens before people. */
export function startLoop(state: SessionState, startWorker: StartWorker, log: (error: unknown) => void) {
  const loop: Loop = { state, startWorker, log, running: undefined, ready: Promise.withResolvers(), wake() {} }
  loop.ready.promise.catch(() => {}) // pages are told by the phase
  void run(loop)

  return {
    worker: () => workerOf(loop),
    ready: loop.ready.promise,
    /** Gives the worker the answers to the current round: all, or up to the first that is missing. */
    submitAnswers(): void {
      const { current } = state
      if (!current) return
      state.current = undefined
      state.setPhase(openingPhase(state, purposeOf(current.round) === 'audit' ? 'score' : 'learn'))
      current.resolve(answersInOrder(current.round).filter(({ id }) => current.asked.has(id)))
    },
    /** Stops the job under way, for the one that is to be done instead. */
    async cancelJob(): Promise<void> {
      const { current } = state
      state.current = undefined
      state.isCancelled = true
      state.setPhase(nextPhase(state))
      current?.resolve(await abandon(current.round, state))
      loop.wake()
    },
    /** Goes on after everything was done, or something failed. */
    resume(): void {
      if (state.phase.kind !== 'done' && state.phase.kind !== 'failed') return
      state.setPhase(state.loaded ? nextPhase(state) : { kind: 'loading', share: null })
      loop.wake()
    },
    /** Has the newest model looked at again, where the last look does not know of all that it must; does not wait for it. */
    lookAgain: () => lookAgain(loop),
    async stop(): Promise<void> {
      state.isClosed = true
      loop.wake()
      await loop.running?.stop()
    },
  }
}

const nextPhase = (state: SessionState) => openingPhase(state, state.audits.current() ? 'score' : 'learn')

function workerOf(loop: Loop): Remote<WorkerMethods> {
  loop.running ??= loop.startWorker(parentMethods(loop), (reason) => {
    loop.running = undefined
    loop.state.loaded = undefined
    if (!loop.state.isClosed) loop.log(reason)
  })
  return loop.running.methods
}

/** What the worker may call: the project, with its rounds as the server holds them, and the people. */
function parentMethods(loop: Loop): ParentMethods {
  const { state } = loop
  const { project, record } = state
  return {
    ...project,
    openRound: (opening) => record.open(opening),
    closeRound: (round) => record.close(round),
    async rounds() {
      return record.rounds.map(({ ids: _, revised: __, closing: ___, ...round }) => round)
    },
    async keepModel(model, round) {
      await project.keepModel(model, round)
      if (state.models.some(({ id }) => id === model.id)) return
      state.models = [...state.models, modelSummary(model, round)]
      state.announce()
    },
    async keepLook(look) {
      await project.keepLook(look)
      state.looks = [...state.looks, look]
      state.announce()
    },
    ask: (ids) => ask(loop, ids),
    isCancelled: async () => state.isCancelled,
    isStale: async () => state.isStale,
    report: async (progress) => showProgress(state, progress),
  }
}

function showProgress(state: SessionState, progress: JobProgress): void {
  if (progress.kind === 'loading') state.setPhase({ kind: 'loading', share: progress.share })
  if (progress.kind === 'step') state.setPhase(openingPhase(state, progress.step))
  if (progress.kind === 'audited') {
    state.audits.addStep(progress.round)
    state.announce()
  }
}

/** Puts the open round before people, and waits for their answers. */
async function ask(loop: Loop, ids: readonly string[]): Promise<readonly Answer[] | null> {
  const { state } = loop
  const round = state.record.rounds.at(-1)!
  const contents = await workerOf(loop).contents([...round.ids])
  if (state.isCancelled) return abandon(round, state)
  if (state.audits.isFinishing()) return []
  state.claims.clear()
  const { promise, resolve } = Promise.withResolvers<readonly Answer[] | null>()
  state.current = { round, asked: new Set(ids), contents: new Map(contents.map((each) => [each.id, each])), resolve }
  const purpose = purposeOf(round)
  state.setPhase({ kind: 'asking', purpose, round: round.round, number: roundsFor(state, purpose), size: round.ids.size })
  void forecast(loop)
  void lookAgain(loop)
  return promise
}

/**
 * A learning round that is abandoned ends at the last point that was shown: draws that were not shown can be left out, as no answer decided where it
 * ends. One of an audit is closed by the job that follows.   @see docs/equations.md#ended
 */
async function abandon(round: RecordedRound, { record, shown }: SessionState): Promise<null> {
  if (isFor('learn', round)) await record.close(round.round, round.design === 'successive' ? shown.drawsOf(round) : undefined)
  return null
}

/** Computes what the newest model expects of an audit, while people answer. */
async function forecast(loop: Loop): Promise<void> {
  const { state, log } = loop
  const newest = state.models.at(-1)?.id
  if (!newest || newest === state.forecastInputs?.model || state.source.kind === 'predictions') return
  try {
    state.forecastInputs = await workerOf(loop).forecastInputs(newest)
    state.announce()
  } catch (error) {
    if (!state.isClosed) log(error)
  }
}

/** Looks at the newest model while people answer: where an answer was revised, or where a project has no looks on record yet. */
async function lookAgain(loop: Loop): Promise<void> {
  const { state, log } = loop
  if (state.isLooking || state.source.kind === 'predictions') return
  state.isLooking = true
  try {
    let before = -1
    for (let revisions = revisionsIn(state); revisions !== before && isBehind(state); revisions = revisionsIn(state)) {
      before = revisions
      await workerOf(loop).look(state.models.at(-1)!.id)
    }
  } catch (error) {
    if (!state.isClosed) log(error)
  } finally {
    state.isLooking = false
  }
}

const revisionsIn = ({ record }: SessionState) => record.rounds.reduce((sum, { revisions }) => sum + revisions.length, 0)

async function run(loop: Loop): Promise<void> {
  const { state, log } = loop
  while (!state.isClosed) {
    try {
      if (!(await runJob(loop)) || state.isClosed) continue
      state.setPhase({ kind: 'done' })
      void forecast(loop)
    } catch (error) {
      if (state.isClosed) return
      if (!isForeseen(error)) log(error)
      state.audits.fail(error)
      loop.ready.reject(error)
      state.current = undefined
      state.setPhase({ kind: 'failed', failure: publicFailure(error).failure })
    }
    await new Promise<void>((resolve) => (loop.wake = resolve))
  }
}

/** One job to its end. True if nothing is left to do. */
async function runJob(loop: Loop): Promise<boolean> {
  const { state } = loop
  const { source, audits } = state
  if (!state.loaded) await load(loop)
  state.isCancelled = false
  state.isStale = false
  const audit = audits.current()
  if (audit) {
    state.setPhase(openingPhase(state, 'score'))
    audits.restart()
    const outcome = await workerOf(loop).audit(audit.model, { ...audit.options, fromStart: true })
    if (outcome !== 'cancelled' && !state.isCancelled) await audits.conclude(outcome) // of answers that still stand
    state.announce()
    return false
  }
  if (source.kind === 'predictions') return true
  if (isAtRest(state)) return true
  state.plan = state.nextPlan ?? state.plan
  state.nextPlan = undefined
  const outcome = await workerOf(loop).learn(state.plan)
  return outcome === 'done' && !state.isStale && !audits.current()
}

async function load(loop: Loop): Promise<void> {
  const { state, ready } = loop
  const { source, project } = state
  state.setPhase({ kind: 'loading', share: null })
  const worker = workerOf(loop)
  if (source.kind === 'predictions') {
    state.loaded = await worker.loadPredictions(source.predicted)
    await keepLabelling(state, source.labelling)
    await keepAsked(project, { reading: source.predicted.reading, options: source.audit })
    await state.audits.startOfPredictions(state.loaded)
  } else if (source.kind === 'new' && !state.settings) {
    state.loaded = await worker.begin(project.path, source.beginning)
    await keepLabelling(state, source.labelling)
    await project.remember('plan', source.beginning.plan)
  } else {
    state.loaded = await worker.load(project.path)
  }
  state.settings = await knownSettings(project)
  if (state.settings) {
    const { loss, l2, classes } = state.settings
    state.readRounds ??= closedRoundReader({ learner: learnerFor(loss, classes.length, l2), classes })
  }
  state.announce()
  ready.resolve()
}

async function keepLabelling({ project }: SessionState, labelling: Labelling): Promise<void> {
  const known = await project.recall('labelling')
  if (JSON.stringify(known) !== JSON.stringify(labelling)) await project.remember('labelling', labelling)
}

import { isFor } from '../../core/record.ts'
import type { Answer } from '../../oracles/oracle.ts'
import { learnerFor } from '../../projects/learners.ts'
import { knownSettings } from '../../projects/settings.ts'
import { isBug, tellOutside } from '../failures.ts'
import type { News, Parent, Worker } from '../worker/worker-protocol.ts'
import type { Remote } from '../worker/worker-rpc.ts'
import { roundReader } from './closed-rounds.ts'
import { openingPhase } from './project-view.ts'
import { answersInOrder, type KeptRound, purposeOf } from './record.ts'
import { type Labelling, roundsFor, type State } from './state.ts'

/** A worker at work. */
export interface Hired {
  readonly worker: Remote<Worker>
  fire(): Promise<void>
}

/** Starts a worker that may call the parent; tells if it dies. */
export type Hire = (parent: Parent, died: (reason: unknown) => void) => Hired

/** Keeps the worker at what is to be done next, for as long as there is a server, and puts what it asks before people. */
export function driver(state: State, hire: Hire, log: (error: unknown) => void) {
  const { project, source, record, audits, claims } = state
  let hired: Hired | undefined
  let wake = () => {}
  const begun = Promise.withResolvers<void>()
  begun.promise.catch(() => {}) // the page is told by its phase

  const parent: Parent = {
    begin: (run) => project.begin(run),
    grow: (poolSize) => project.grow(poolSize),
    async openRound(opening) {
      await record.open(opening)
    },
    closeRound: (round) => record.close(round),
    async rounds() {
      return record.rounds.map(({ ids: _, revised: __, closing: ___, ...round }) => round)
    },
    async keepModel(model, round) {
      await project.keepModel(model, round)
      if (state.models.some(({ id }) => id === model.id)) return
      state.models = [...state.models, { id: model.id, round }]
      state.announce()
    },
    models: () => project.models(),
    model: (id) => project.model(id),
    recall: (fact) => project.recall(fact),
    remember: (fact, value) => project.remember(fact, value),
    event: (kind, detail) => project.event(kind, detail),
    ask,
    isLeaving: async () => state.isLeaving,
    isStale: async () => state.isStale,
    tell: async (news) => hear(news),
  }

  function hear(news: News): void {
    if (news.kind === 'loading') state.setPhase({ kind: 'loading', share: news.share })
    if (news.kind === 'step') state.setPhase(openingPhase(state, news.step))
    if (news.kind === 'audited') {
      audits.step(news.round)
      state.announce()
    }
  }

  function worker(): Remote<Worker> {
    hired ??= hire(parent, (reason) => {
      hired = undefined
      state.loaded = undefined
      if (!state.isClosed) log(reason)
    })
    return hired.worker
  }

  /** Puts the open round before people. */
  async function ask(ids: readonly string[]): Promise<readonly Answer[] | null> {
    const round = record.rounds.at(-1)!
    const contents = await worker().contents([...round.ids])
    if (state.isLeaving) return closeLeft(round)
    if (audits.isFinishing()) return []
    claims.clear()
    const answers = new Promise<readonly Answer[] | null>((resolve) => {
      const byId = new Map(contents.map((content) => [content.id, content]))
      state.asking = { round, asked: new Set(ids), contents: byId, resolve }
    })
    const purpose = purposeOf(round)
    state.setPhase({ kind: 'asking', purpose, round: round.round, number: roundsFor(state, purpose), size: round.ids.size })
    void lookAhead()
    return answers
  }

  /** A learning round that people leave is closed as it is; what an audit leaves, whoever goes on closes. */
  async function closeLeft(round: KeptRound): Promise<null> {
    if (isFor('learn', round)) await record.close(round.round)
    return null
  }

  /** What the newest model expects of an audit, worked out while people think. */
  async function lookAhead(): Promise<void> {
    const newest = state.models.at(-1)?.id
    if (!newest || newest === state.outlook?.model || source.kind === 'predictions') return
    try {
      state.outlook = await worker().outlook(newest)
      state.announce()
    } catch (error) {
      if (!state.isClosed) log(error)
    }
  }

  async function drive(): Promise<void> {
    while (!state.isClosed) {
      try {
        if (!(await next()) || state.isClosed) continue
        state.setPhase({ kind: 'done' })
        void lookAhead()
      } catch (error) {
        if (state.isClosed) return
        if (isBug(error)) log(error)
        const { failure } = tellOutside(error)
        audits.fail(error)
        begun.reject(error)
        state.asking = undefined
        state.setPhase({ kind: 'failed', failure })
      }
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  /** One job to its end. Whether nothing is left to do. */
  async function next(): Promise<boolean> {
    if (!state.loaded) await load()
    state.isLeaving = false
    state.isStale = false
    const audit = audits.current()
    if (audit) {
      state.setPhase(openingPhase(state, 'score'))
      const outcome = await worker().audit(audit.model, { ...audit.options, fromStart: true })
      if (outcome !== 'left') await audits.conclude(outcome)
      state.announce()
      return false
    }
    if (source.kind === 'predictions') return true
    state.plan = state.nextPlan ?? state.plan
    state.nextPlan = undefined
    const outcome = await worker().learn(state.plan)
    return outcome === 'done' && !state.isStale && !audits.current()
  }

  async function load(): Promise<void> {
    state.setPhase({ kind: 'loading', share: null })
    if (source.kind === 'predictions') {
      state.loaded = await worker().loadPredictions(source.predicted)
      await keepLabelling(source.labelling)
      await audits.begin(state.loaded)
    } else if (source.kind === 'new' && !state.settings) {
      state.loaded = await worker().begin(project.path, source.beginning)
      await keepLabelling(source.labelling)
      await project.remember('plan', source.beginning.plan)
    } else {
      state.loaded = await worker().load(project.path)
    }
    state.settings = await knownSettings(project)
    if (state.settings) {
      const { loss, l2, classes } = state.settings
      state.readRounds ??= roundReader({ learner: learnerFor(loss, classes.length, l2), classes })
    }
    state.announce()
    begun.resolve()
  }

  async function keepLabelling(labelling: Labelling): Promise<void> {
    const known = await project.recall('labelling')
    if (JSON.stringify(known) !== JSON.stringify(labelling)) await project.remember('labelling', labelling)
  }

  void drive()

  return {
    worker,
    /** When the pool is ready; or why it is not. */
    begun: begun.promise,
    /** Hands the answers over that people have given to the round: all, or up to the first that is missing. */
    handOver(): void {
      const asking = state.asking
      if (!asking) return
      state.asking = undefined
      state.setPhase(openingPhase(state, purposeOf(asking.round) === 'audit' ? 'score' : 'learn'))
      asking.resolve(answersInOrder(asking.round).filter(({ id }) => asking.asked.has(id)))
    },
    /** Leaves what is under way for what is to be done instead. */
    async leave(): Promise<void> {
      const asking = state.asking
      state.asking = undefined
      state.isLeaving = true
      state.setPhase(openingPhase(state, audits.current() ? 'score' : 'learn'))
      asking?.resolve(await closeLeft(asking.round))
      wake()
    },
    /** Goes on after everything was done, or something failed. */
    resume(): void {
      if (state.phase.kind !== 'done' && state.phase.kind !== 'failed') return
      const isLoaded = state.loaded !== undefined
      state.setPhase(isLoaded ? openingPhase(state, audits.current() ? 'score' : 'learn') : { kind: 'loading', share: null })
      wake()
    },
    async stop(): Promise<void> {
      state.isClosed = true
      wake()
      await hired?.fire()
    },
  }
}

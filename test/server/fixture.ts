import { join } from 'node:path'
import { drawnIds, type Label, type RoundOpening } from '../../src/core/record.ts'
import type { Settings } from '../../src/projects/settings.ts'
import type { Event } from '../../src/protocol/events.ts'
import { certificateOf, certificateText } from '../../src/questions/certificate.ts'
import type { EarlierCertificate } from '../../src/questions/earlier.ts'
import type { AuditedQuestion } from '../../src/questions/rules.ts'
import { question } from '../../src/questions/spec.ts'
import { broadcast } from '../../src/server/session/broadcast.ts'
import { openSession, type Session } from '../../src/server/session/session.ts'
import type { Source } from '../../src/server/session/state.ts'
import type { StartWorker } from '../../src/server/worker/start-worker.ts'
import type { AuditOutcome, Loaded, ParentMethods, WorkerMethods } from '../../src/server/worker/worker-protocol.ts'
import type { Project } from '../../src/stores/project.ts'
import { createProject, openProject } from '../../src/stores/sqlite.ts'
import { keyed } from '../../src/text/class-keys.ts'
import { atEnd, freshDirectory } from '../endings.ts'

export const classes = ['no', 'yes']

export const settings: Settings = {
  pool: { path: '/pools/letters.csv', hash: 'sha256:00' },
  added: [],
  wishes: {},
  classes,
  seed: 7,
  seedChosen: true,
  strategy: 'alis',
  loss: 'logistic',
  l2: 1,
  start: 3,
  batch: 3,
  delta: 0.05,
}

/** A project that has begun, on disk. It is closed after the tests. */
export async function begunProject(directory?: string): Promise<Project> {
  const project = await emptyProject(directory)
  await project.begin({ seed: 7, seedChosen: true, classes, poolSize: 100 })
  await project.remember('settings', settings)
  return project
}

let seconds = 0
/** A second later every time it is read: no two facts are of the same time. */
const clock = () => new Date(1000 * ++seconds)

export async function emptyProject(directory = freshDirectory()): Promise<Project> {
  const project = await createProject(join(directory, 'letters.alis'), { clock })
  atEnd(() => project.close())
  return project
}

/** The same project, as a process finds it that starts later. */
export async function reopened({ path, close }: Project): Promise<Project> {
  await close()
  const project = await openProject(path, { clock })
  atEnd(() => project.close())
  return project
}

/** A round in which these points were drawn, each with a chance of 1/10. */
export const opening = (round: number, ids: readonly string[], change: Partial<RoundOpening> = {}): RoundOpening => ({
  round,
  stream: `learn/${round}`,
  strategy: 'alis',
  design: 'successive',
  size: ids.length,
  model: 'sha256:m',
  survey: {
    points: 100,
    mass: 100,
    largestMass: 1,
    smallestMass: 1,
    pseudoLoss: 50,
    rootPseudoLoss: 70,
    largestPseudoLoss: 1,
    pseudoLossPerMass: 50,
    margins: [],
    controls: [{ predictedLoss: 20, predictedVariance: 16, largestDown: 0.9, largestUp: 0.9 }],
  },
  draws: ids.map((id, k) => ({ id, order: k + 1, probability: 0.1, mass: 1, remaining: 100, scores: [2] })),
  ...change,
})

/** A round of an audit, of the points that the rounds before it left. */
export function auditOpening(
  before: readonly Pick<RoundOpening, 'draws'>[],
  ids: readonly string[],
  change: Partial<RoundOpening> = {},
): RoundOpening {
  const { survey, ...rest } = opening(before.length, ids, { stream: `audit/${before.length}`, rules: {}, ...change })
  return { ...rest, survey: { ...survey, points: 100 - new Set(before.flatMap(drawnIds)).size } }
}

/** What an audit says of the error. */
export const askedError: AuditedQuestion = {
  question: question('error', { level: 0.9 }),
  state: 'defined',
  value: 0.2,
  low: 0.1,
  high: 0.4,
  answers: 2,
  level: 0.9,
  plan: { kind: 'none' },
  isRegistered: true,
  points: 100,
  isReached: false,
}

export const loaded: Loaded = { points: 100, features: 2, view: { kind: 'row' }, columns: [], directory: '/pools' }

export interface FakeWorker {
  readonly parent: ParentMethods
  readonly methods: WorkerMethods
  /** Methods that were called, in order. */
  readonly calls: string[]
  isStopped: boolean
  die(reason: unknown): void
}

/** Workers without threads. `scripts`: what the methods do, told what they may call. */
export function fakeWorkers(scripts: (parent: ParentMethods) => Partial<WorkerMethods> = () => ({})) {
  const started: FakeWorker[] = []
  const startWorker: StartWorker = (parent, die) => {
    const calls: string[] = []
    const usual: Partial<WorkerMethods> = {
      load: async () => loaded,
      begin: async () => loaded,
      loadPredictions: async () => ({ ...loaded, model: 'sha256:predictions' }),
      learn: async () => 'done',
      contents: async (ids) => ids.map((id) => ({ id, fields: [{ name: 'letter', value: id }] })),
      look: async () => {},
      forecastInputs: async (model) => ({ model, points: 97, expected: 0.1, plain: 0.09, informed: 0.03 }),
    }
    const script = { ...usual, ...scripts(parent) }
    const methods = new Proxy({} as WorkerMethods, {
      get:
        (_, name: keyof WorkerMethods) =>
        (...args: never[]) => {
          calls.push(name)
          return (script[name] as (...args: never[]) => unknown)(...args)
        },
    })
    const worker: FakeWorker = { parent, methods, calls, isStopped: false, die }
    started.push(worker)
    const stop = async () => {
      worker.isStopped = true
    }
    return { methods, stop }
  }
  return { started, startWorker }
}

/** Learns in rounds of these points, one after another, as the loop does. */
export const learningRounds =
  (...rounds: readonly (readonly string[])[]) =>
  (parent: ParentMethods): Pick<WorkerMethods, 'learn'> => ({
    async learn() {
      for (const ids of rounds.slice((await parent.rounds()).length)) {
        const { length: round } = await parent.rounds()
        await parent.openRound(opening(round, ids))
        if (!(await parent.ask(ids))) return 'cancelled'
        await parent.closeRound(round)
        if (await parent.isStale()) return 'stale'
      }
      return 'done'
    },
  })

/** A session of a project with such workers, what pages heard, and what was logged. */
export async function sessionOf(
  project: Project,
  scripts: Parameters<typeof fakeWorkers>[0] = undefined,
  source: Source = { kind: 'known' },
) {
  const heard: Event[] = []
  const logged: unknown[] = []
  const events = broadcast((page) => session.release(page))
  const decoder = new TextDecoder()
  events.listen('page', (bytes) => {
    for (const part of decoder.decode(bytes).split('\n\n')) if (part) heard.push(JSON.parse(part.slice('data: '.length)))
  })
  const { started, startWorker } = fakeWorkers(scripts)
  const log = (error: unknown) => logged.push(error)
  const session: Session = await openSession({ project, name: 'letters.alis', source, events, startWorker, log })
  atEnd(() => session.close())
  return { session, started, heard, logged, events }
}

/** Waits until the session is in a phase. */
export async function phaseOf(session: Session, kind: string): Promise<void> {
  for (let turn = 0; session.view().phase.kind !== kind; turn++) {
    if (turn > 5_000) throw new Error(`still ${JSON.stringify(session.view().phase)}`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

export const labelling = { question: 'Vowel?', guidelines: '', classes: keyed(classes) }

/** What the worker makes of an audit of this model with these answers, all of one round. */
export function outcomeOf(model: string, answers: Readonly<Record<string, Label>>, round = 0): AuditOutcome {
  const draws = Object.entries(answers).map(([id, answer], k) => ({ order: k + 1, id, probability: 0.1, answer }))
  const { isReached: _, ...error } = askedError
  const rules = {
    belief: { kind: 'plain', wrong: [0.1, 0.1] },
    mass: { kind: 'equal' },
    isPlain: true,
    goal: {},
    questions: [],
  } as const
  const certificate = certificateOf({
    questions: [{ ...error, question: question('error'), level: 0.95, high: 0.3, answers: draws.length }],
    answers: draws.length,
    unknown: 0,
    goal: { budget: draws.length },
    reached: true,
    pool: { size: 100, hash: 'sha256:00' },
    columns: {},
    model,
    classes,
    seed: 7,
    seedChosen: true,
    rounds: [{ round, stream: `audit/${round}`, strategy: 'uniform', size: draws.length, rules, given: [], draws }],
    revisions: [],
    versions: { alis: '0.0.0' },
  })
  return { seal: certificate.seal, model, text: certificateText(certificate), page: '<html>' }
}

/** A certificate as an earlier release wrote it. */
export function earlierOutcomeOf(model: string, change: Partial<EarlierCertificate> = {}): AuditOutcome {
  const certificate: EarlierCertificate = {
    format: 'alis-certificate/1',
    claim: 'With 95 % confidence, between 10 % and 30 % of the 100 predictions are wrong.',
    metric: 'error',
    value: 0.2,
    low: 0.1,
    high: 0.3,
    level: 0.95,
    answers: 1,
    unknown: 0,
    goal: { budget: 1 },
    reached: false,
    pool: { size: 100, hash: 'sha256:00' },
    columns: {},
    model,
    strategy: 'uniform',
    seed: 7,
    seedChosen: true,
    draws: [{ id: 'a', answer: 'yes' }],
    versions: { alis: '0.1.0' },
    seal: 'sha256:0e',
    ...change,
  }
  return { seal: certificate.seal, model, text: JSON.stringify(certificate), page: '<html>' }
}

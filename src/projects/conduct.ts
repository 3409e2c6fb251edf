import type { Certificate } from '../questions/certificate.ts'
import type { Conduct } from '../questions/conduct.ts'
import type { Project, ProjectEvent } from '../stores/project.ts'
import type { AuditOptions } from './certify.ts'

type Recorded = Pick<Project, 'answers' | 'events' | 'head'>

const begun = 'audit'
const abandoned = 'audit-abandoned'

interface BegunAudit {
  readonly model: string
  readonly plan: object
}

/** Puts on record that an audit begins, before its first draw. One that goes on as it was begun is the same audit. */
export async function noteAudit(project: Project, model: string, options: Partial<AuditOptions>): Promise<void> {
  const { questions, race, goal, strategy, batch } = options
  const plan = { questions, race, goal, strategy, batch }
  const events = (await project.events()).filter(({ kind }) => kind === begun || kind === abandoned)
  const last = events.findLast(({ detail }) => (detail as BegunAudit).model === model)
  const isSame = last?.kind === begun && JSON.stringify((last.detail as BegunAudit).plan) === JSON.stringify(plan)
  if (!isSame) await project.event(begun, { model, plan })
}

/** Puts on record that an annotator turned away from an audit. */
export const noteAbandoned = (project: Project, model: string): Promise<void> => project.event(abandoned, { model })

/**
 * How the audit of a certificate was carried out: read off the record as it stood after its beginning and the last answer that counts, so that it
 * is the same whenever it is read. `facts`: of a certificate that is there. Undefined where nobody answered.
 */
export async function conductOf(
  project: Recorded,
  { model, rounds }: Pick<Certificate, 'model' | 'rounds'>,
  facts?: number,
): Promise<Conduct | undefined> {
  const last = rounds.at(-1)!.round
  const ids = new Set(rounds.flatMap(({ given, draws }) => [...given, ...draws].map(({ id }) => id)))
  const said = await project.answers()
  const counted = said.slice(0, said.findLastIndex(({ round, id }) => round <= last && ids.has(id)) + 1)
  const answered = counted.length > 0 ? await project.head({ answers: counted.length }) : undefined
  if (!answered) return undefined
  const events = await project.events(facts)
  const isBegun = ({ kind, detail }: ProjectEvent) => kind === begun && (detail as BegunAudit).model === model
  const audits = events.filter(isBegun)
  const own = await project.head({ events: events.findLastIndex(isBegun) + 1 })
  const head = own && own.facts > answered.facts ? own : answered
  const drawn = new Set(rounds.flatMap(({ round, draws }) => draws.map(({ id }) => keyOf(round, id))))
  const answers = counted.filter(({ round, id }) => drawn.has(keyOf(round, id)))
  const found = events.find(({ kind }) => kind === 'chained')?.detail as { readonly found: number } | undefined
  const times = [...audits.slice(0, 1), ...answers.slice(0, 1)].map(({ time }) => time).sort()
  return {
    record: { facts: head.facts, head: head.hash },
    ...(found && { unchained: found.found }),
    began: times[0]!,
    ended: answers.at(-1)!.time,
    people: peopleIn(answers),
    before: Math.max(0, audits.length - 1),
  }
}

/** A project as an audit has it: its store, and what that knows of how the audit was carried out. */
export const onRecord = (project: Project) => ({
  store: project,
  conduct: (certified: Pick<Certificate, 'model' | 'rounds'>) => conductOf(project, certified),
})

const keyOf = (round: number, id: string) => JSON.stringify([round, id])

function peopleIn(said: Awaited<ReturnType<Recorded['answers']>>): Conduct['people'] {
  const standing = new Map(said.map((answer) => [keyOf(answer.round, answer.id), answer]))
  const counts = new Map<string, number>()
  for (const { kind, annotator } of standing.values())
    if (kind !== 'retraction') counts.set(annotator, (counts.get(annotator) ?? 0) + 1)
  return [...counts].map(([name, answers]) => ({ name, answers })).sort((a, b) => (a.name < b.name ? -1 : 1))
}

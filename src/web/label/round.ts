import type { Content, Label } from '../../protocol/points.ts'
import type { OpenRound } from '../../protocol/rounds.ts'
import type { Entry } from '../api/queue.ts'

/** A round as one page sees it: what was drawn, what is answered, and what to ask next. */
export interface PageRound {
  readonly round: number
  readonly number: number
  readonly purpose: 'learn' | 'audit'
  /** Answers when it was opened. */
  readonly before: number
  /** In draw order. */
  readonly points: readonly { readonly id: string; readonly content: Content }[]
  readonly answers: ReadonlyMap<string, Label>
  /** All ids in the order this page asks them: draw order, but for what was put off. */
  readonly order: readonly string[]
  readonly later: ReadonlySet<string>
  /** Points another page is showing, with its name where it is known. */
  readonly elsewhere: ReadonlyMap<string, string>
  /** Answers given here, oldest first, with what they replaced. */
  readonly history: readonly AnswerGiven[]
  /** The unanswered point that is shown. It stays until it is dealt with: a point that becomes free waits its turn. */
  readonly current: string | undefined
  /** An answered point that is open again. */
  readonly revising: string | undefined
}

export interface AnswerGiven {
  readonly id: string
  readonly before?: Label
}

/** What outlives a reload of the page, and is known to this tab only. */
export type Memory = Pick<PageRound, 'order' | 'history' | 'current'> & { readonly later: readonly string[] }

export type Action =
  | { readonly type: 'answer'; readonly label: Label }
  | { readonly type: 'later' }
  | { readonly type: 'undo' }
  | { readonly type: 'revise'; readonly id: string }
  /** Another page answered, or took an answer back. */
  | { readonly type: 'told'; readonly id: string; readonly label?: Label | undefined }
  /** Another page shows these points now, and no others. */
  | { readonly type: 'claimed'; readonly page: string; readonly ids: readonly string[] }
  /** What came of our own claim. */
  | { readonly type: 'granted'; readonly asked: readonly string[]; readonly granted: readonly string[] }

const unnamed = ''

/** The round as the server tells it, with what this page has not sent yet and what it remembers. */
export function openedRound(open: OpenRound, unsent: readonly Entry[] = [], memory?: Memory): PageRound {
  const ids = open.points.map(({ id }) => id)
  const known = new Set(ids)
  const order = [...new Set([...(memory?.order ?? []).filter((id) => known.has(id)), ...ids])]
  const answers = new Map(open.points.flatMap(({ id, answer }) => (answer ? [[id, answer.label] as const] : [])))
  for (const { round, id, label } of unsent) {
    if (round !== open.round || !known.has(id)) continue
    if (label === undefined) answers.delete(id)
    else answers.set(id, label)
  }
  return withCurrent({
    round: open.round,
    number: open.number,
    purpose: open.purpose,
    before: open.before,
    points: open.points.map(({ id, content }) => ({ id, content })),
    answers,
    order,
    later: new Set((memory?.later ?? []).filter((id) => known.has(id))),
    elsewhere: new Map(open.points.filter(({ isElsewhere }) => isElsewhere).map(({ id }) => [id, unnamed])),
    history: (memory?.history ?? []).filter(({ id }) => answers.has(id)),
    current: memory?.current,
    revising: undefined,
  })
}

export function memoryOf({ order, later, history, current }: PageRound): Memory {
  return { order, later: [...later], history, current }
}

/** Answers so far, those given here and not sent yet among them. */
export const answersIn = ({ before, answers }: Pick<PageRound, 'before' | 'answers'>): number => before + answers.size

/** The point to show. None where all that is left is answered or with others. */
export function currentOf(round: PageRound): string | undefined {
  return round.revising ?? round.current
}

/** The point shown, and the next few to ask here. */
export function upcoming(round: PageRound, n: number): string[] {
  const ids = round.order.filter((id) => isFree(round, id) && id !== round.current)
  return (round.current === undefined ? ids : [round.current, ...ids]).slice(0, n)
}

/** Points without an answer, wherever they are shown. */
export function unanswered({ order, answers }: PageRound): string[] {
  return order.filter((id) => !answers.has(id))
}

export function roundAfter(round: PageRound, action: Action): PageRound {
  return withCurrent(changed(round, action))
}

function isFree({ answers, elsewhere }: PageRound, id: string): boolean {
  return !answers.has(id) && !elsewhere.has(id)
}

function withCurrent(round: PageRound): PageRound {
  const { current, order } = round
  if (current !== undefined && order.includes(current) && isFree(round, current)) return round
  const next = order.find((id) => isFree(round, id))
  return next === current ? round : { ...round, current: next }
}

function changed(round: PageRound, action: Action): PageRound {
  switch (action.type) {
    case 'answer':
      return answered(round, action.label)
    case 'later':
      return putOff(round)
    case 'undo':
      return undone(round)
    case 'revise':
      return round.answers.has(action.id) ? { ...round, revising: action.id } : round
    case 'told':
      return told(round, action.id, action.label)
    case 'claimed':
      return { ...round, elsewhere: claimed(round.elsewhere, action.page, action.ids) }
    case 'granted':
      return { ...round, elsewhere: granted(round.elsewhere, action.asked, action.granted) }
  }
}

function answered(round: PageRound, label: Label): PageRound {
  const id = currentOf(round)
  if (id === undefined) return round
  const before = round.answers.get(id)
  return {
    ...round,
    answers: new Map(round.answers).set(id, label),
    history: [...round.history, before === undefined ? { id } : { id, before }],
    revising: undefined,
  }
}

function putOff(round: PageRound): PageRound {
  const id = currentOf(round)
  if (id === undefined) return round
  if (id === round.revising) return { ...round, revising: undefined }
  const order = [...round.order.filter((other) => other !== id), id]
  return { ...round, order, later: new Set(round.later).add(id), current: undefined }
}

/** Takes the last answer of this page back, and shows its point again. A revision is given up first. */
function undone(round: PageRound): PageRound {
  if (round.revising !== undefined) return { ...round, revising: undefined }
  const last = round.history.at(-1)
  if (!last) return round
  const answers = new Map(round.answers)
  const history = round.history.slice(0, -1)
  if (last.before !== undefined) return { ...round, answers: answers.set(last.id, last.before), history, revising: last.id }
  answers.delete(last.id)
  const order = [last.id, ...round.order.filter((id) => id !== last.id)]
  return { ...round, answers, history, order, current: last.id }
}

function told(round: PageRound, id: string, label: Label | undefined): PageRound {
  if (!round.order.includes(id)) return round
  const answers = new Map(round.answers)
  if (label === undefined) answers.delete(id)
  else answers.set(id, label)
  // What others have changed since is no longer ours to undo.
  const history = round.history.filter((given) => given.id !== id)
  return { ...round, answers, history, revising: round.revising === id ? undefined : round.revising }
}

function claimed(elsewhere: ReadonlyMap<string, string>, page: string, ids: readonly string[]): Map<string, string> {
  // A page that is gone may have held what has no name: that is free until a claim of ours says otherwise.
  const others = [...elsewhere].filter(([, holder]) => holder !== page && (ids.length > 0 || holder !== unnamed))
  return new Map([...others, ...ids.map((id) => [id, page] as const)])
}

function granted(elsewhere: ReadonlyMap<string, string>, asked: readonly string[], ids: readonly string[]): Map<string, string> {
  const after = new Map(elsewhere)
  for (const id of asked) if (!after.has(id)) after.set(id, unnamed)
  for (const id of ids) after.delete(id)
  return after
}

import type { Event } from '../../protocol/events.ts'
import { answers } from '../api/answers.ts'
import { api, Failure } from '../api/client.ts'
import { page } from '../api/page.ts'
import type { Entry } from '../api/queue.ts'
import { listen, serverNow, watch } from '../api/store.ts'
import { note, readRound } from './reading.ts'
import { apply, begun, change, claims, keep, labellingNow } from './state.ts'

let isOnline = true
/** The round the server asked for when we last looked. */
let asked: number | undefined
/** The round on its way, and how many times one was read: only what was read last counts. */
let reading: number | undefined
let reads = 0

/** Answers of a page that is gone are on their way: the list of the last ones is to be read again. */
let areRecentOld = false

/** Follows the server from now on; once, when the page opens. */
export function followServer(): void {
  watch(follow)
  listen(onEvent)
  answers.follow({ onSaved, onRefused, onAdopted })
}

/** Keeps up with the server: a round opens, closes, or is to be read again after the connection was lost. */
function follow(): void {
  const { state, connection } = serverNow()
  const isBack = connection === 'online' && !isOnline
  isOnline = connection === 'online'
  if (!state?.project) return
  answers.open(state.project)
  if (labellingNow().project !== state.project.path) begin(state.project.path)
  if (isBack) claims.forget()

  const { phase } = state.project
  const open = phase.kind === 'asking' ? phase.round : undefined
  const { round } = labellingNow()
  if (open !== asked && round && round.round !== open) leave()
  asked = open
  if (open === undefined || !isOnline) return
  if (isBack || (labellingNow().round?.round !== open && reading !== open)) void read(open)
}

function begin(project: string): void {
  change({ project, ...begun })
  void readRecent()
}

/** The next ones follow by themselves. */
const leave = () => change({ round: undefined })

async function read(open: number): Promise<void> {
  const turn = ++reads
  reading = open
  try {
    const round = await readRound(labellingNow().project)
    if (turn !== reads) return
    // A new round is shown when it is clear which points are ours; one that is shown is never other than what keys act on.
    if (labellingNow().round) change({ round })
    else keep({ round })
    await claims.claim(round)
    change({})
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure
    if (!failure.isPassing && failure.code !== 'no-round') change({ refusal: failure })
  } finally {
    if (turn === reads) reading = undefined
  }
}

async function readRecent(): Promise<void> {
  try {
    const { rows } = await api.answers({ limit: 10 })
    change({ recent: rows.map(({ round, content, label }) => ({ round, content, label })) })
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure // a list of what is on record can wait for the next reload
  }
}

function onEvent(event: Event): void {
  if (event.type === 'project' || event.page === page) return
  if (event.type === 'answer') note(event)
  if (event.round !== labellingNow().round?.round) return
  if (event.type === 'answer') apply({ type: 'told', id: event.id, label: event.label })
  else apply({ type: 'claimed', page: event.page, ids: event.ids })
}

function onSaved(entry: Entry, { isClosed }: { isClosed: boolean }): void {
  if (areRecentOld && answers.unsent().length === 0) {
    areRecentOld = false
    void readRecent()
  }
  const { round } = labellingNow()
  if (!isClosed || entry.isRevision || entry.label === undefined || entry.round !== round?.round) return
  if (!round.answers.has(entry.id)) apply({ type: 'told', id: entry.id, label: entry.label }) // undone a moment too late
  leave()
}

function onRefused(entry: Entry, failure: Failure): void {
  const { round } = labellingNow()
  const content = round?.points.find(({ id }) => id === entry.id)?.content
  // Undone a moment too late: the answer had closed the round. Then it is a revision.
  if (failure.code === 'round-closed' && entry.label === undefined && content) {
    change({ revision: { round: entry.round, content } })
    return
  }
  change({ refusal: failure })
  if (round) void read(round.round)
}

/** What a page that is gone had answered is answered here too, and listed when it is on record. */
function onAdopted(entries: readonly Entry[]): void {
  areRecentOld ||= entries.length > 0
  for (const entry of entries) {
    note(entry)
    if (entry.round === labellingNow().round?.round) apply({ type: 'told', id: entry.id, label: entry.label })
  }
}

import { isFor } from '../../core/record.ts'
import { labelRows } from '../../projects/export/labels.ts'
import type { AnswerPage, AnswerRow, PageQuery, PredictionPage, PredictionQuery } from '../../protocol/data.ts'
import type { Report } from '../../protocol/report.ts'
import { Refusal } from '../failures.ts'
import { purposeOf } from '../session/record.ts'
import type { Session } from '../session/session.ts'

/** The answers on record that were not replaced, newest first. */
export async function answerPage(session: Session, { search, offset, limit }: PageQuery): Promise<AnswerPage> {
  await session.ready // answers are shown with what was answered
  const { project, record } = session
  const classes = session.view().classes.map(({ name }) => name)
  const points = session.loaded()?.points
  const rows = labelRows(record.rounds, await project.answers(), classes, points)
  const newest = rows.map((row, k) => ({ ...row, k })).sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : b.k - a.k))
  const wanted = search.trim().toLowerCase() // nothing is part of every text
  const texts = wanted === '' ? new Map<string, string>() : await textsOf(session, rows)
  const found = newest.filter(({ id, label, annotator }) =>
    [id, label ?? 'cannot tell', annotator, texts.get(id)].some((text) => text?.toLowerCase().includes(wanted)),
  )
  const page = found.slice(offset, offset + limit)
  const contents = page.length > 0 ? await session.worker().contents(page.map(({ id }) => id)) : []
  const listed = page.map((row, k): AnswerRow => {
    const round = record.rounds[row.round]!
    const purpose = purposeOf(round)
    const { label, order, probability, annotator, time } = row
    return {
      content: contents[k]!,
      label,
      round: row.round,
      number: record.rounds.filter((each) => isFor(purpose, each) && each.round <= row.round).length,
      purpose,
      isOpen: !round.isClosed,
      order,
      probability,
      ...(round.isClosed && row.weight !== null && { weight: row.weight }),
      annotator,
      time,
      isRevised: round.revised.has(row.id),
    }
  })
  return { rows: listed, found: found.length, of: rows.length }
}

/** What there is to read of points, by id. */
async function textsOf(session: Session, rows: readonly { readonly id: string }[]): Promise<Map<string, string>> {
  if (session.loaded()?.view.kind === 'bitmap') return new Map()
  const ids = rows.map(({ id }) => id)
  const fields = await session.worker().fields(ids)
  return new Map(ids.map((id, k) => [id, Object.values(fields[k]!).join('\n')]))
}

/**
 * Refuses whatever has predictions in it while they are measured: an answer counts only if whoever gives it does not know what the model
 * says, of a point that is open now and of all that may be drawn or revised.
 */
export function requireSeen(session: Session): void {
  if (!session.view().audit) return
  throw new Refusal(
    409,
    'blind',
    'predictions: nobody who answers may see them while they are measured, got an audit under way',
    'They can be seen again when it has its certificate, or when it is left.',
  )
}

/** What the certified model says of the pool, or the newest; of a point that waits for an answer, nothing. */
export async function predictionPage(session: Session, { model: wanted, ...query }: PredictionQuery): Promise<PredictionPage> {
  await session.ready
  requireSeen(session)
  const { record } = session
  const { model: newest, certificates, purpose, points } = session.view()
  const answers = new Map(record.rounds.flatMap((round) => [...round.answers]))
  if (purpose === 'audit') {
    const page = await session.worker().predictions({ ...query, model: '', answers, hidden: [] })
    return { ...page, hidden: points - answers.size, after: 0 }
  }
  const standing = certificates.filter(({ isRevised, isEarlier, after }) => !isRevised && !isEarlier && after !== undefined)
  const certified = wanted === 'newest' ? standing.find((each) => each.model === newest?.id) : standing.at(-1)
  const model = certified ? { id: certified.model, after: certified.after!, certificate: certified.seal } : newest
  if (!model) return { rows: [], found: 0, of: 0, hidden: 0, after: 0 }
  const open = record.rounds.filter(({ isClosed }) => !isClosed)
  const hidden = open.flatMap(({ ids, answers }) => [...ids].filter((id) => !answers.has(id)))
  const page = await session.worker().predictions({ ...query, model: model.id, answers, hidden })
  return { ...page, hidden: hidden.length, after: model.after, ...('certificate' in model && { certificate: model.certificate }) }
}

/** What an audit has found: of a model, or of the one that is measured now or was last. With when that was. */
export async function reportOf(session: Session, wanted?: string): Promise<Report> {
  await session.ready
  const { audit, certificates, purpose } = session.view()
  const model = wanted ?? audit?.model ?? certificates.at(-1)?.model ?? ''
  const rounds = session.record.rounds.filter((round) => isFor('audit', round) && round.model === model)
  const own = new Set(rounds.map(({ round }) => round))
  const said = (await session.project.answers()).filter(({ round, kind }) => own.has(round) && kind !== 'retraction')
  const times = said.map(({ time }) => time).sort()
  const findings = rounds.length > 0 || purpose === 'audit' ? await session.worker().findings(model) : nothingFound
  const when = times.length > 0 ? { first: times[0]!, last: times.at(-1)! } : {}
  return { ...findings, ...when }
}

const nothingFound = { answers: 0, classes: [], cells: [], slices: [], errors: [], found: 0 }

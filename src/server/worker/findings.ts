import { type Findings, findingsNow } from '../../projects/report/report.ts'
import type { Report } from '../../protocol/report.ts'
import type { RecordedRounds } from '../../questions/audit-rounds.ts'
import type { Audited } from '../../questions/subject.ts'
import { questionView } from '../question-view.ts'
import { contentOf, type PointDisplay } from './point-view.ts'
import type { WorkerPool } from './worker-pool.ts'

/** What an audit has found by now, as pages show it. */
export async function findingsFor(
  audited: Audited,
  store: RecordedRounds,
  { contents, display }: { contents: WorkerPool['contents']; display: PointDisplay },
): Promise<Report> {
  const { answers, classes, cells, slices, errors } = await findingsNow(audited, store, contents)
  return {
    answers,
    classes: classes.map((row) => ({ ...row, precision: questionView(row.precision), recall: questionView(row.recall) })),
    cells: cells.map((row) => row.map(questionView)),
    slices: slices.map(({ column, rows, whole }) => ({ column, rows: rows.map(questionView), whole: questionView(whole) })),
    errors: errors.slice(0, mostShown).map((error) => shownError(error, display)),
    found: errors.length,
  }
}

const mostShown = 200

const shownError = ({ id, fields, predicted, answer }: Findings['errors'][number], display: PointDisplay) => ({
  predicted,
  answer,
  content: contentOf({ id, fields }, display),
})

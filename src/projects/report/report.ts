import type { Content } from '../../engines/engine.ts'
import { reportMetrics } from '../../metrics/catalogue.ts'
import { type AskedAnswer, askAll } from '../../questions/ask.ts'
import { type Certificate, drawsOf } from '../../questions/certificate.ts'
import { predictionsIn } from '../../questions/frame.ts'
import type { AuditRecord } from '../../questions/record.ts'
import { type QuestionSpec, question } from '../../questions/spec.ts'
import type { Audited } from '../../questions/subject.ts'

/** All that a report shows, read off the record of an audit. */
export interface Report {
  readonly certificate: Certificate
  /** How the first question's interval narrowed. */
  readonly path: readonly PathStep[]
  readonly classes: readonly ClassRow[]
  /** Shares of all points, by class answered and class predicted; none where there are too many classes. */
  readonly cells: readonly (readonly AskedAnswer[])[]
  readonly slices: readonly SliceTable[]
  readonly errors: readonly FoundError[]
}

export interface PathStep {
  readonly answers: number
  readonly value: number
  readonly low: number
  readonly high: number
}

export interface ClassRow {
  readonly name: string
  /** Points that are predicted to be of the class. */
  readonly predicted: number
  readonly precision: AskedAnswer
  readonly recall: AskedAnswer
}

/** The slices of a column: their limits hold all together, and with those of the whole. */
export interface SliceTable {
  readonly column: string
  readonly rows: readonly AskedAnswer[]
  readonly whole: AskedAnswer
}

/** A prediction that somebody found wrong. */
export interface FoundError {
  readonly id: string
  readonly predicted: string
  readonly answer: string
  readonly fields: Readonly<Record<string, string>>
}

export interface ReportInput {
  readonly audited: Audited
  readonly certificate: Certificate
  readonly record: AuditRecord
  readonly path: readonly PathStep[]
  contents(ids: readonly string[]): Promise<readonly Content[]>
}

const mostClasses = 8 // a matrix of more cells than that is neither read nor cheap
const mostErrors = 200

export async function reportOf({ audited, certificate, record, path, contents }: ReportInput): Promise<Report> {
  const { frame } = audited
  const { level } = certificate
  const isClassified = frame.models.length > 0 && frame.classes.length > 0 && certificate.best === undefined
  return {
    certificate,
    path,
    classes: isClassified && frame.classes.length <= 40 ? classRows(record, level) : [],
    cells: isClassified && frame.classes.length <= mostClasses ? cellsOf(record, level) : [],
    slices: isClassified ? sliceTables(record, level) : [],
    errors: isClassified ? await errorsIn(audited, certificate, contents) : [],
  }
}

function classRows(record: AuditRecord, level: number): ClassRow[] {
  const { frame, list, counts } = record.strata
  const asked = askAll(
    record,
    frame.classes.flatMap((positive) => reportMetrics.ofClass.map((metric) => question(metric, { positive, level }))),
  )
  return frame.classes.map((name, k) => ({
    name,
    predicted: list.reduce((sum, { predicted: [first] }, at) => sum + (first === k ? counts[at]! : 0), 0),
    precision: asked[2 * k]!,
    recall: asked[2 * k + 1]!,
  }))
}

function cellsOf(record: AuditRecord, level: number): AskedAnswer[][] {
  const { classes } = record.strata.frame
  const specs = classes.map((actual) => classes.map((positive) => question(reportMetrics.ofCell, { positive, actual, level })))
  const asked = askAll(record, specs.flat())
  return specs.map((row, k) => row.map((_, j) => asked[k * classes.length + j]!))
}

function sliceTables(record: AuditRecord, level: number): SliceTable[] {
  const { slices } = record.strata.frame
  const specs = slices.flatMap(({ column, values }) =>
    values.map((value): QuestionSpec => question(reportMetrics.ofSlice, { slice: { column, value }, level })),
  )
  if (specs.length === 0) return []
  const [whole, ...asked] = askAll(record, [question(reportMetrics.ofSlice, { level }), ...specs], { together: specs.length + 1 })
  const rowsOf = (column: string) => asked.filter(({ question }) => question.slice!.column === column)
  return slices.map(({ column }) => ({ column, rows: rowsOf(column), whole: whole! }))
}

async function errorsIn(
  { pool, frame }: Audited,
  certificate: Certificate,
  contents: ReportInput['contents'],
): Promise<FoundError[]> {
  const told = drawsOf(certificate).flatMap(({ id, answer }) => (answer === null ? [] : [{ id, answer }]))
  const codes = told.length > 0 ? await pool.codesOf(told.map(({ id }) => id)) : []
  const predictedOf = predictionsIn(frame)
  const wrong = told
    .map(({ id, answer }, k) => ({ id, answer, predicted: predictedOf(codes[k]!) }))
    .filter(({ answer, predicted }) => predicted !== answer)
  const shown = await contents(wrong.slice(0, mostErrors).map(({ id }) => id))
  return wrong.map((error, k) => ({ ...error, fields: shown[k]?.fields ?? {} }))
}

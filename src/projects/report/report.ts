import type { Content } from '../../engines/engine.ts'
import { reportMetrics } from '../../metrics/catalogue.ts'
import { type AskedAnswer, askAll } from '../../questions/ask.ts'
import { auditRecord, certifiedRounds, type RecordedRounds } from '../../questions/audit-rounds.ts'
import { type Certificate, drawsOf, type GivenAnswer } from '../../questions/certificate.ts'
import { predictionsIn } from '../../questions/frame.ts'
import type { AuditRecord } from '../../questions/record.ts'
import { type QuestionSpec, question } from '../../questions/spec.ts'
import type { Audited } from '../../questions/subject.ts'

/** All that a report shows, read off the record of an audit. */
export interface Report extends Findings {
  readonly certificate: Certificate
  /** How the first question's interval narrowed. */
  readonly path: readonly PathStep[]
}

/** What a record says of predictions beside what was asked: class by class, slice by slice, and the errors that were found. */
export interface Findings {
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

/** A prediction that an answer found wrong. */
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

const nothing: Findings = { classes: [], cells: [], slices: [], errors: [] }

export async function reportOf({ certificate, path, ...input }: ReportInput): Promise<Report> {
  const told = drawsOf(certificate)
  const findings = certificate.best ? nothing : await findingsOf({ ...input, told, level: certificate.level })
  return { certificate, path, ...findings }
}

interface FindingsInput extends Pick<ReportInput, 'audited' | 'record' | 'contents'> {
  /** Points that were drawn and answered. */
  readonly told: readonly GivenAnswer[]
  readonly level: number
}

async function findingsOf({ audited, record, contents, told, level }: FindingsInput): Promise<Findings> {
  const { frame } = audited
  if (frame.models.length === 0 || frame.classes.length === 0) return nothing
  return {
    classes: frame.classes.length <= 40 ? classRows(record, level) : [],
    cells: frame.classes.length <= mostClasses ? cellsOf(record, level) : [],
    slices: sliceTables(record, level),
    errors: await errorsIn(audited, told, contents),
  }
}

/** What the record of a project says of a model or of predictions by now, whether its audit has ended or not. */
export async function findingsNow(
  audited: Audited,
  store: RecordedRounds,
  contents: ReportInput['contents'],
): Promise<Findings & { readonly answers: number }> {
  const { rounds } = certifiedRounds(audited, await store.rounds())
  const told = rounds.flatMap(({ draws }) => draws)
  if (told.length === 0 || rounds.some(({ rules }) => rules.race)) return { ...nothing, answers: told.length }
  const record = await auditRecord(audited, store)
  const level = rounds.at(-1)!.rules.questions[0]?.question.level ?? 0.95
  return { ...(await findingsOf({ audited, record, contents, told, level })), answers: told.length }
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
  given: readonly GivenAnswer[],
  contents: ReportInput['contents'],
): Promise<FoundError[]> {
  const told = given.flatMap(({ id, answer }) => (answer === null ? [] : [{ id, answer }]))
  const codes = told.length > 0 ? await pool.codesOf(told.map(({ id }) => id)) : []
  const predictedOf = predictionsIn(frame)
  const wrong = told
    .map(({ id, answer }, k) => ({ id, answer, predicted: predictedOf(codes[k]!) }))
    .filter(({ answer, predicted }) => predicted !== answer)
  const shown = await contents(wrong.slice(0, mostErrors).map(({ id }) => id))
  return wrong.map((error, k) => ({ ...error, fields: shown[k]?.fields ?? {} }))
}

import { requireInput } from '../../core/errors.ts'
import { coded, measured, subjectOfRows } from '../../engines/prediction-subject.ts'
import { type Certificate, type Columns, certificateText, makerWords } from '../../questions/certificate.ts'
import { certificateIn } from '../../questions/certificate-text.ts'
import { seedClaim } from '../../questions/commitment.ts'
import { conductFacts } from '../../questions/conduct.ts'
import { signatureWords, signerWords } from '../../questions/signature.ts'
import { signatureFault } from '../../questions/signature-fault.ts'
import type { Audited } from '../../questions/subject.ts'
import { certificateFault, isOfProject } from '../../questions/verification.ts'
import { type CsvTable, readCsv } from './csv.ts'

/** A file that was dropped. */
export interface GivenFile {
  readonly name: string
  readonly text: string
}

export interface Verdict {
  /** The first thing that does not follow; nothing if all does. */
  readonly fault: string | undefined
  readonly claims: readonly string[]
  readonly facts: readonly (readonly [name: string, words: string])[]
}

/** Does a whole audit again from its certificate and the predictions that it is about. Throws where one of them cannot be read. */
export async function verdictOn(file: GivenFile, pool: GivenFile): Promise<Verdict> {
  const certificate = certificateIn(file.name, file.text)
  const { questions, claim, signature } = certificate
  const fault = signatureFault(certificate) ?? (await faultIn(certificate, pool)) ?? notAsWritten(certificate, file)
  return {
    fault,
    claims: questions.length === 0 ? [claim] : questions.map((asked) => asked.claim),
    facts: [
      ['Made by', makerWords(certificate.madeBy)],
      ['Seed', seedClaim(certificate)],
      ...(certificate.format === 2 ? [] : conductFacts(certificate.conduct)),
      ['Signed by', `${signerWords(signature)}${signature ? `. ${signatureWords}` : ''}`],
      ['Written by', `alis-learn ${certificate.versions.alis}`],
    ],
  }
}

const notAsWritten = (certificate: Certificate, { text }: GivenFile) =>
  certificateText(certificate) === text ? undefined : 'the file must be as it was written, got other white space'

async function faultIn(certificate: Certificate, pool: GivenFile): Promise<string | undefined> {
  requireInput(
    !isOfProject(certificate) && certificate.after === undefined,
    'certificate: one about predictions of a file is required, got one about the model of a project',
    'alis verify --project NAME.alis verifies it.',
  )
  return certificateFault(certificate, { audited: auditedIn(readCsv(pool.text), certificate) })
}

/** The predictions of a file, read by the columns that a certificate names. */
function auditedIn(table: CsvTable, { columns: named, classes }: Certificate): Audited {
  const id = named.id ?? table.names.find((name) => name.toLowerCase() === 'id')
  const columns: Columns = { ...(id !== undefined && { id }), ...named }
  const { prediction, confidence, probabilities, against, models, score, range, by = [] } = columns
  const codedAt = (name: string) => coded(name, table.column(name), table.rows)
  const measuredAt = (name: string) => measured(name, table.column(name).map(numberIn), table.rows)
  const [own, ...others] = models ?? [prediction, ...(against === undefined ? [] : [against])]
  const rows = {
    ids: idsIn(table, id),
    own: own === undefined ? undefined : codedAt(own),
    others: others.map((name) => codedAt(name!)),
    confidence: probabilities || confidence === undefined ? undefined : measuredAt(confidence),
    probabilities: probabilities?.map(measuredAt),
    grades: score === undefined ? undefined : measuredAt(score),
    range,
    slices: by.map(codedAt),
  }
  const isRace = models !== undefined
  return { ...subjectOfRows(rows, { classes: range ? undefined : classes, idName: id ?? 'row', isRace }), columns }
}

function idsIn(table: CsvTable, id: string | undefined): string[] {
  if (id === undefined) return Array.from({ length: table.rows }, (_, row) => `${row + 1}`)
  return table.column(id).map((cell, row) => {
    requireInput(cell !== null, `${id}: every row needs an id, got none in row ${row + 1}`)
    return cell
  })
}

const numberIn = (cell: string | null): number => (cell === null || cell.trim() === '' ? Number.NaN : Number(cell))

import { pick } from '../core/pick.ts'
import type { RecordedRounds } from './audit-rounds.ts'
import { type Certificate, certificateOf, drawsOf, firstDifference, makers, partVersions } from './certificate.ts'
import { goalOnRecord } from './certified-record.ts'
import { type Conduct, conductFault } from './conduct.ts'
import type { Frame } from './frame.ts'
import { firstFault } from './replay.ts'
import type { Audited } from './subject.ts'

/** What a certificate is about, and what a project has on record of it. */
export interface VerifiedSubject {
  readonly audited: Audited
  /** Points that were known before the audit began. */
  readonly before?: readonly string[]
  readonly run?: Pick<Certificate, 'seed' | 'seedChosen' | 'classes'>
  /** What the model was learned on, up to the audit. */
  readonly learning?: RecordedRounds
  /** How the audit was carried out; nothing where that is not on record. */
  readonly conduct?: Conduct | undefined
}

/** Whether a certificate is about the model of a project, and not about predictions of a file. */
export const isOfProject = ({ columns: { prediction, probabilities = [], score, models = [] } }: Certificate) =>
  prediction === undefined && score === undefined && probabilities.length + models.length === 0

/** The curve that drand's values are verified on takes a while to load, and few certificates need it. */
async function departureOf(certificate: Certificate): Promise<string | undefined> {
  return certificate.committed && (await import('./commitment-fault.ts')).departure(certificate)
}

/** Makes everything again that a certificate says of what it is about. Returns the first thing that does not follow. */
export async function certificateFault(
  certificate: Certificate,
  { audited, before = [], run, learning, conduct }: VerifiedSubject,
): Promise<string | undefined> {
  const { pool, poolHash, model, columns, frame } = audited
  await pool.take(before)
  const { counts } = await pool.counts()
  const { signature: _, ...unsigned } = certificate
  const { seed, seedChosen, classes } = certificate
  return (
    firstDifference(certificate.pool, { size: counts.reduce((sum, n) => sum + n, 0), hash: poolHash }, 'pool') ??
    firstDifference(certificate.model, model, 'model') ??
    firstDifference(certificate.columns, columns, 'columns') ??
    (run && firstDifference({ seed, seedChosen, classes }, run)) ??
    (await departureOf(certificate)) ??
    strangeMaker(certificate) ??
    (run && firstDifference(certificate.conduct, conduct, 'conduct')) ??
    (certificate.conduct && conductFault(certificate.conduct, certificate.rounds)) ??
    firstDifference(classes, frame.classes, 'classes') ??
    (await firstFault(audited, certificate, learning)) ??
    firstDifference(unsigned, againFrom(certificate, frame))
  )
}

function strangeMaker({ madeBy }: Certificate): string | undefined {
  const isKnown = madeBy === undefined || makers.includes(madeBy)
  return isKnown ? undefined : `madeBy: one of ${makers.join(', ')} is required, got ${JSON.stringify(madeBy)}`
}

/** What else is said, from the answers and limits that were just made again. */
function againFrom(certificate: Certificate, frame: Frame): Certificate {
  const { questions, versions, format } = certificate
  const draws = drawsOf(certificate)
  const content = {
    questions: questions.map(({ claim: _, ...asked }) => asked),
    ...pick(certificate, 'best'),
    answers: draws.length,
    unknown: draws.filter(({ answer }) => answer === null).length,
    ...goalOnRecord(frame, certificate),
    ...pick(certificate, 'seed', 'seedChosen'),
    ...(format === 3 && pick(certificate, 'committed', 'madeBy')),
    ...pick(certificate, 'pool', 'columns', 'model', 'classes', 'after', 'learned', 'rounds', 'revisions'),
    ...(format === 3 && pick(certificate, 'conduct')),
    versions: { alis: versions.alis, ...(format === 3 && partVersions) },
  }
  return certificateOf(content, format)
}

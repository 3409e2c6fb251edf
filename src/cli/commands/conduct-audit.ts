import type { AuditRound } from '../../audit.ts'
import { certificatePage, pathOf } from '../../projects/certificate-page.ts'
import type { Concluded } from '../../projects/certify.ts'
import { writeWhole } from '../../projects/export/output-file.ts'
import { reportPage } from '../../projects/report/page.ts'
import { type ReportInput, reportOf } from '../../projects/report/report.ts'
import { certificateText } from '../../questions/certificate.ts'
import { type Signer, signed } from '../../questions/signature.ts'
import type { Project } from '../../stores/project.ts'
import { type FinishedAudit, isMissed } from '../reports/audit-report.ts'
import type { Report } from '../reports/report.ts'
import { NotReached } from './not-reached.ts'

export interface AuditOutputs {
  /** The certificate, and a page for people beside it. */
  readonly file: string | undefined
  readonly page: string | undefined
  readonly project: Project | undefined
  readonly signer?: Signer | undefined
  /** What a report is about. */
  readonly title: string
  readonly subject: Pick<ReportInput, 'audited' | 'contents'>
}

/** Runs an audit to its certificate; writes that and the report to files, and keeps it in the project. Then throws where a goal was missed. */
export async function conductAudit(
  auditing: AsyncGenerator<AuditRound, Concluded>,
  report: Report<AuditRound, FinishedAudit>,
  { file, page, project, signer, title, subject }: AuditOutputs,
): Promise<void> {
  const rounds: AuditRound[] = []
  try {
    let step = await auditing.next()
    for (; !step.done; step = await auditing.next()) {
      rounds.push(step.value)
      report.round(step.value)
    }
    const { certificate: sealed, record } = step.value
    const certificate = signer ? signed(sealed, signer) : sealed
    const text = certificateText(certificate)
    if (file !== undefined) {
      await writeWhole(file, text)
      await writeWhole(pageBeside(file), certificatePage(certificate, rounds))
    }
    if (page !== undefined) {
      const report = await reportOf({ ...subject, certificate, record, path: pathOf(rounds) })
      await writeWhole(page, reportPage(title, report))
    }
    await project?.keepCertificate({ seal: certificate.seal, text }) // before a reader that has had enough ends the command
    report.finish({ certificate, rounds })
    if (isMissed({ certificate, rounds })) throw new NotReached()
  } finally {
    report.clear()
  }
}

/** Where the page for people is, beside a certificate. */
export const pageBeside = (certificate: string): string => `${certificate.replace(/\.json$/, '')}.html`

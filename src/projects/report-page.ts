import type { Content } from '../engines/engine.ts'
import type { Certificate } from '../questions/certificate.ts'
import { certificatePage } from './certificate-page.ts'

/** What a report has to show beside the certificate. */
export interface ReportData {
  /** The points that were answered, as people saw them, in draw order. */
  readonly contents: readonly Content[]
  /** The class that the audited model predicts for each of them; none where grades are audited. */
  readonly predicted: ReadonlyMap<string, string>
}

/** An audit as a report. */
export function reportPage(certificate: Certificate, _: ReportData): string {
  return certificatePage(certificate, [])
}

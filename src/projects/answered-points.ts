import { stratumCodes } from '../core/strata.ts'
import type { Content } from '../engines/engine.ts'
import { type Certificate, drawsOf } from '../questions/certificate.ts'
import { axesOf } from '../questions/frame.ts'
import type { AuditSubject } from '../questions/subject.ts'
import type { ReportData } from './report-page.ts'

/** What is known of the points that a certificate rests on: what people saw of them, and what was predicted. */
export async function answeredPoints(
  { pool, frame }: AuditSubject,
  certificate: Certificate,
  contents: (ids: readonly string[]) => Promise<readonly Content[]>,
): Promise<ReportData> {
  const ids = drawsOf(certificate).map(({ id }) => id)
  const { stratum } = stratumCodes(axesOf(frame))
  const codes = await pool.codesOf(ids)
  const predicted = ids.flatMap((id, k): [string, string][] => {
    const [first] = stratum(codes[k]!).predicted
    return first === undefined ? [] : [[id, frame.classes[first]!]]
  })
  return { contents: await contents(ids), predicted: new Map(predicted) }
}

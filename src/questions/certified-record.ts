import type { CertifiedRound } from './certificate.ts'
import type { Strata } from './frame.ts'
import type { AuditRecord } from './record.ts'
import type { AuditSubject } from './subject.ts'

/** A certificate's rounds as a record that can be asked. */
export async function recordOf(
  { pool }: AuditSubject,
  strata: Strata,
  rounds: readonly Pick<CertifiedRound, 'rules' | 'given' | 'draws'>[],
): Promise<AuditRecord> {
  const coded = async (points: CertifiedRound['given']) => {
    const codes = points.length > 0 ? await pool.codesOf(points.map(({ id }) => id)) : []
    return points.map(({ answer }, k) => ({ code: codes[k]!, answer }))
  }
  const read = []
  for (const { rules, given, draws } of rounds) read.push({ rules, given: await coded(given), draws: await coded(draws) })
  return { strata, rounds: read }
}

import type { AuditRound } from '../audit.ts'
import type { Certificate } from '../questions/certificate.ts'
import { reportPage } from './report/page.ts'
import type { PathStep } from './report/report.ts'

/** A certificate as a page one would print: the claims, a picture of the first, what they rest on, and what they do not say. */
export function certificatePage(certificate: Certificate, rounds: readonly AuditRound[]): string {
  const nothing = { classes: [], cells: [], slices: [], errors: [] }
  return reportPage('ALIS certificate', { certificate, path: pathOf(rounds), ...nothing })
}

/** How the interval of the first question narrowed, as far as there was one. */
export function pathOf(rounds: readonly AuditRound[]): readonly PathStep[] {
  return rounds.flatMap(({ questions: [first], answered }) => {
    const { value, low, high } = first ?? { value: null, low: null, high: null }
    return value === null || low === null || high === null ? [] : [{ answers: answered, value, low, high }]
  })
}

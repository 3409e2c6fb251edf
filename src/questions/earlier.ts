import type { Label } from '../core/record.ts'
import { type Metric, ratioMetrics } from '../metrics/catalogue.ts'
import type { Columns } from './certificate.ts'
import type { Goal } from './record.ts'

/** A certificate of an earlier release: of one metric, from draws without the rules that made them. */
export interface EarlierCertificate {
  readonly format: 'alis-certificate/1'
  readonly claim: string
  readonly metric: Metric
  readonly positive?: string
  readonly value: number
  readonly low: number
  readonly high: number
  readonly level: number
  readonly answers: number
  readonly unknown: number
  readonly goal: Goal
  readonly reached: boolean
  readonly pool: { readonly size: number; readonly hash: string }
  readonly columns: Columns
  readonly model: string
  readonly strategy: string
  readonly seed: number
  readonly seedChosen: boolean
  readonly draws: readonly { readonly id: string; readonly answer: Label }[]
  readonly versions: { readonly alis: string }
  readonly seal: string
}

export function isEarlier(certificate: { readonly format: unknown }): certificate is EarlierCertificate {
  return certificate.format === 'alis-certificate/1'
}

/** What is to be known of a certificate of an earlier release. */
export function earlierWords(metric: Metric): string {
  const words = 'From an earlier release; cannot be verified by this one.'
  if (!ratioMetrics.some((ratio) => ratio === metric)) return words
  return `${words} Its interval did not hold: those for precision, recall and F1 missed the truth more often than their level says.`
}

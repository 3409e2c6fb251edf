import type { Certificate } from '../questions/certificate.ts'
import type { EarlierCertificate } from '../questions/earlier.ts'
import type { Project } from '../stores/project.ts'
import { isTooEarly } from '../text/now.ts'
import { nowOnRecord } from './now-on-record.ts'
import { knownSettings } from './settings.ts'

/** How often the model or the predictions of a project are wrong, as far as that is on record. */
export interface KnownError {
  readonly value: number
  readonly low: number
  readonly high: number
  readonly isCertified: boolean
}

/** By its newest certificate, or else by the running one. */
export async function knownError(project: Project): Promise<KnownError | undefined> {
  return (await certifiedError(project)) ?? (await errorNow(project))
}

async function certifiedError(project: Project): Promise<KnownError | undefined> {
  const newest = (await project.certificates()).at(-1)
  if (!newest) return undefined
  const { metric, value, low, high } = JSON.parse(newest.text) as Certificate | EarlierCertificate
  const isError = metric === 'error' && value !== null && low !== null && high !== null
  return isError ? { value, low, high, isCertified: true } : undefined
}

async function errorNow(project: Project): Promise<KnownError | undefined> {
  const settings = await knownSettings(project)
  const now = settings && (await nowOnRecord(project, settings)).now
  return now && !isTooEarly(now) ? { value: now.value, low: now.low, high: now.high, isCertified: false } : undefined
}

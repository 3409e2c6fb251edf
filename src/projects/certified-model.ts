import type { RoundFacts } from '../core/record.ts'
import type { Certificate } from '../questions/certificate.ts'
import { type EarlierCertificate, isEarlier } from '../questions/earlier.ts'
import { isRevised } from '../questions/void.ts'
import type { KeptCertificate } from '../stores/project.ts'
import type { KeptModel } from '../stores/store.ts'

/** A model of a project, and the certificate that is about it, if one stands. */
export interface DeliveredModel extends KeptModel {
  readonly certificate?: Certificate
}

interface OnRecord {
  readonly models: readonly KeptModel[]
  readonly certificates: readonly Pick<KeptCertificate, 'text'>[]
  readonly rounds: readonly RoundFacts[]
}

/** The model that the newest certificate is about which stands: later ones have learned since, and have no certificate. */
export function certifiedModel({ models, certificates, rounds }: OnRecord): DeliveredModel | undefined {
  const all = certificates.map(({ text }) => JSON.parse(text) as Certificate | EarlierCertificate)
  for (const certificate of all.reverse()) {
    const kept = models.find(({ model }) => model.id === certificate.model)
    if (kept && !isEarlier(certificate) && !isRevised(certificate, rounds)) return { ...kept, certificate }
  }
  return undefined
}

/** What is handed over unless people ask for another: the certified model, or the newest where none is. */
export function deliveredModel(record: OnRecord, wanted?: 'certified' | 'newest'): DeliveredModel | undefined {
  const certified = certifiedModel(record)
  const newest = record.models.at(-1)
  if (wanted === 'certified') return certified
  return !certified || (wanted === 'newest' && newest?.model.id !== certified.model.id) ? newest : certified
}

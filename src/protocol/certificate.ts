import type { Certificate } from '../questions/certificate.ts'
import type { EarlierCertificate } from '../questions/earlier.ts'

/** A certificate as in its file, which is sent to the byte. */
export type CertificateFile = Certificate | EarlierCertificate

/** A certificate as in its file, which is sent to the byte. */
export type { Certificate as CertificateFile } from '../certificates/certificate.ts'

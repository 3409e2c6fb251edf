import { readFileSync } from 'node:fs'
import { AlisError } from '../../core/errors.ts'
import type { Certificate } from '../../questions/certificate.ts'
import { certificateIn } from '../../questions/certificate-text.ts'

export function readCertificate(path: string): { readonly text: string; readonly certificate: Certificate } {
  const text = textOf(path)
  return { text, certificate: certificateIn(path, text) }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const got = code === 'ENOENT' ? 'nothing there' : code === 'EISDIR' ? 'a directory' : message
    throw new AlisError('bad-input', `${path}: must be a certificate, got ${got}`, 'Check the spelling of the path.', {
      cause: error,
    })
  }
}

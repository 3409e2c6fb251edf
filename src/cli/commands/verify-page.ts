import { copyFileSync, existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { requireInput } from '../../core/errors.ts'
import { requireWritable } from '../../projects/export/output-file.ts'
import type { OutputOptions } from '../options/output.ts'
import { sayResult } from '../reports/output.ts'

const built = fileURLToPath(new URL('../../../dist/verify.html', import.meta.url))

/** Writes the page that verifies in a browser: one file, with all that it needs. */
export function writeVerifyPage(file: string, options: OutputOptions): void {
  requireInput(existsSync(built), 'The page has not been built: dist/verify.html is missing', 'In a clone: npm run build.')
  requireWritable(file, '--page', { inputs: [] })
  copyFileSync(built, file)
  const words = `${file}: open it in any browser, and drop a certificate and its predictions on it. It needs no network.`
  sayResult(options, { page: file }, words)
}

import { readFileSync } from 'node:fs'

/** The release, as the package says it. */
export function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}

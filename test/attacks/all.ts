import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Attack } from './attack.ts'

const folder = join(import.meta.dirname, 'cases')

/** Every attack there is, file by file. */
export async function allAttacks(): Promise<readonly Attack[]> {
  const all: Attack[] = []
  for (const name of readdirSync(folder).sort()) {
    const { attacks } = (await import(/* @vite-ignore */ pathToFileURL(join(folder, name)).href)) as {
      attacks: readonly Attack[]
    }
    all.push(...attacks)
  }
  return all
}

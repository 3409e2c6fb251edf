import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const endings: (() => unknown)[] = []

/** Has something closed after the tests of the file, the last first: what files share has no hooks of its own, as files share it in one process. */
export function atEnd(end: () => unknown): void {
  endings.unshift(end)
}

/** After every test file. */
export async function runEndings(): Promise<void> {
  for (const end of endings.splice(0)) await end()
}

/** An empty directory, there as long as this process. */
export function freshDirectory(): string {
  scratch ??= newScratch()
  return mkdtempSync(join(scratch, 'fresh-'))
}

let scratch: string | undefined

function newScratch(): string {
  const path = mkdtempSync(join(tmpdir(), 'alis-'))
  process.on('exit', () => rmSync(path, { recursive: true, force: true }))
  return path
}

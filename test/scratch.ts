import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const room = 4 * 2 ** 30

/**
 * Lets temporary files lie in memory, where there is room: a test that makes a project would wait for the disk longer than it computes. They
 * are gone after the tests. A TMPDIR that is set stays.
 */
export default function setup() {
  useOwnScratch()
  const settings = mkdtempSync(join(tmpdir(), 'alis-settings-')) // a key of the tests, never one of the user who runs them
  process.env.XDG_CONFIG_HOME = settings
  return () => rmSync(settings, { recursive: true, force: true })
}

function useOwnScratch() {
  if (process.env.TMPDIR !== undefined || roomIn(memory) < room) return
  const scratch = mkdtempSync(join(memory, 'alis-tests-'))
  chmodSync(scratch, 0o1777) // as /tmp: some tests run as users with fewer rights
  process.env.TMPDIR = scratch
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true })) // after Ctrl-C too
}

/** Bytes. */
function roomIn(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch {
    return 0
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Something that an attacker may do to us. A file of `cases` has one or several: `export const attacks: readonly Attack[]`. */
export interface Attack {
  /** What is done, as a row of the table: "one bit of a project is flipped". */
  readonly name: string
  attack(ground: Ground): Promise<readonly Try[]>
}

export interface Ground {
  /** An empty directory, removed afterwards. */
  readonly folder: string
  /** As often as `npm run attacks` does it; the tests take some seconds for all. */
  readonly isThorough: boolean
  /** Of everything random. */
  readonly seed: number
}

/** One way in which it was done, and what came through; nothing, if it was held. */
export interface Try {
  readonly what: string
  readonly through?: string
}

/** Whether one attempt came through, by an error or a difference that must be there: its words must match. */
export async function attempt(what: string, work: () => unknown, expected: RegExp): Promise<Try> {
  try {
    const said = await work()
    const words = typeof said === 'string' ? said : undefined
    if (words !== undefined && expected.test(words)) return { what }
    return { what, through: words === undefined ? 'nothing was said' : `"${words}" was said` }
  } catch (error) {
    const { message } = error as Error
    return expected.test(message) ? { what } : { what, through: `"${message}" was said` }
  }
}

export async function carryOut({ attack }: Attack, options: Omit<Ground, 'folder'>): Promise<readonly Try[]> {
  const folder = mkdtempSync(join(tmpdir(), 'alis-attack-'))
  try {
    return await attack({ folder, ...options })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

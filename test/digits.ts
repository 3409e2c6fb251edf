import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './command.ts'

/** The built-in pool. */
export const digits = join(root, 'data/digits.csv')

/** The digit of every point, by id. */
export const truth: ReadonlyMap<string, string> = new Map(
  readFileSync(digits, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const cells = line.split(',')
      return [cells[0]!, cells.at(-1)!]
    }),
)

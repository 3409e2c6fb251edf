import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sequenceOf } from '../../src/core/randomness.ts'

/** A pool of a shape that people have, made up, and how it is learned from: labels to the end, so many at a time. */
export interface RunCase {
  readonly name: string
  readonly points: number
  readonly batch: number
  readonly isText?: boolean
  /** Cells of a point but for its id, the class last. */
  readonly row: (random: () => number) => readonly (string | number)[]
}

export const runCases: readonly RunCase[] = [
  { name: '4,500 × 36, six classes', points: 4500, batch: 25, row: (random) => bands(random, 36, 6) },
  { name: '2,230 × 180, three classes', points: 2230, batch: 25, row: (random) => switches(random, 180, 3) },
  { name: '4,100 short texts, six classes', points: 4100, batch: 50, isText: true, row: (random) => question(random, 6) },
]

/** Writes the pool of a case as a file that all of them read. */
export function writeCase({ name, points, isText, row }: RunCase, folder: string): string {
  const random = sequenceOf({ seed: 1, name })
  const rows = Array.from({ length: points }, (_, i) => [`p${i}`, ...row(random)])
  const columns = rows[0]!.length - 2
  const titles = isText ? ['text'] : Array.from({ length: columns }, (_, j) => `x${j}`)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${name.replaceAll(/\W+/g, '-')}.csv`)
  writeFileSync(path, `${[['id', ...titles, 'y'], ...rows].map((cells) => cells.join()).join('\n')}\n`)
  return path
}

const normal = (random: () => number) => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())
const below = (random: () => number, count: number) => Math.min(Math.floor(count * random()), count - 1)

/** Columns that go together in fours, as bands of neighbouring pixels do; classes overlap. */
function bands(random: () => number, columns: number, classes: number): (string | number)[] {
  const k = below(random, classes)
  const shared = [0, 1, 2, 3].map((band) => 1.5 * Math.sin(3 * k + band) + normal(random))
  const own = Array.from({ length: columns }, (_, j) => Math.round(50 + 15 * (shared[j % 4]! + 0.4 * normal(random))))
  return [...own, `c${k}`]
}

/** Columns of 0 and 1; two in five say something of the class. */
function switches(random: () => number, columns: number, classes: number): (string | number)[] {
  const k = below(random, classes)
  const chance = (j: number) => 0.25 + (j % 5 < 2 ? 0.12 * Math.sin(7 * j + 2 * k) : 0)
  return [...Array.from({ length: columns }, (_, j) => (random() < chance(j) ? 1 : 0)), `c${k}`]
}

/** Ten words, some of which go with the class; few words are common and most are rare. */
function question(random: () => number, classes: number): string[] {
  const k = below(random, classes)
  const word = () => Math.floor(8000 * random() ** 4)
  const words = Array.from({ length: 10 }, () =>
    random() < 0.2 ? spelt(8000 + 300 * k + Math.floor(300 * random() ** 2)) : spelt(word()),
  )
  return [words.join(' '), `c${k}`]
}

const syllables = Array.from({ length: 64 }, (_, k) => `${'bdfgklmnprstvwzh'[k % 16]}${'aeio'[k >> 4]}`)

/** A word for every number. */
const spelt = (n: number): string =>
  `${syllables[n % 64]}${syllables[(n >> 6) % 64]}${n >= 4096 ? syllables[(n * 7) % 64] : ''}${'nst'[n % 3]}`

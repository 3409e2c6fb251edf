import { folder } from './fold.ts'

export interface GramOptions {
  /** Longest run of words, 1 or 2. */
  readonly words: 1 | 2
  /** Shortest and longest run of characters inside a word, its boundaries counted as characters. */
  readonly characters: readonly [shortest: number, longest: number]
  /** Pieces are hashed into 2^bits buckets. */
  readonly bits: number
  /** Words and pairs of words go into the first half of the buckets, runs of characters into the second; in old recipes, all into all. */
  readonly apart?: boolean
}

/** Counts the pieces of one text after another. */
export interface GramCounter {
  /** Counts the pieces of a text and returns in how many different buckets they fell. */
  count(text: string): number
  /** The buckets of the last text, in order of appearance, and how often each occurred. */
  readonly buckets: Int32Array
  readonly counts: Int32Array
}

const wordSeed = 0x811c9dc5 | 0 // where FNV-1a begins; runs begin elsewhere, so that a word and a run of its letters differ
const runSeed = 0x2f0b4c47

/** No text is cut up on the way: hashes roll over the characters, and counting allocates nothing. */
export function gramCounter(options: GramOptions): GramCounter {
  const { words, characters, bits, apart = false } = options
  const kinds = { shift: apart ? 33 - bits : 32 - bits, runsFrom: apart ? 2 ** (bits - 1) : 0 }
  const mostPerCharacter = words + Math.max(0, characters[1] - characters[0] + 1)
  const text = folder()
  let pieces = new Int32Array(0) // buckets of all pieces, one after another
  let table = new Int32Array(0) // open addressing: position in `buckets` plus 1, or 0
  let buckets = new Int32Array(0)
  let counts = new Int32Array(0)

  function makeRoom(most: number): void {
    if (pieces.length >= most) return
    pieces = new Int32Array(2 * most)
    buckets = new Int32Array(2 * most)
    counts = new Int32Array(2 * most)
    table = new Int32Array(powerOfTwo(4 * most))
  }

  return {
    get buckets() {
      return buckets
    },
    get counts() {
      return counts
    },
    count(source) {
      const length = text.fold(source)
      makeRoom(length * mostPerCharacter)
      const total = cutUp(text.codes, length, words === 2, characters, kinds, pieces)
      const room = powerOfTwo(2 * total) // at most half full
      table.fill(0, 0, room)
      return tally(pieces, total, { table, mask: room - 1, buckets, counts })
    },
  }
}

// The loops are functions of their arguments alone: that is what the compiler makes fast.

/** Writes the buckets of all words, pairs of words, and runs of characters in words; returns how many. */
function cutUp(
  codes: Int32Array,
  length: number,
  withPairs: boolean,
  [shortest, longest]: readonly [number, number],
  { shift, runsFrom }: { readonly shift: number; readonly runsFrom: number },
  into: Int32Array,
): number {
  let size = 0
  let previous = 0
  for (let from = 0, to = 0; from < length - 1; from = to) {
    let word = wordSeed
    for (to = from + 1; codes[to] !== 0; to++) word = step(word, codes[to]!)
    into[size++] = mixed(word) >>> shift
    if (withPairs && from > 0) into[size++] = mixed(step(Math.imul(previous, 0x9e3779b1), word)) >>> shift
    previous = word
    if (codes[from + 1]! < 0) continue // a word of one character has no runs

    for (let start = from; start < to && start + shortest <= to + 1; start++) {
      const first = Math.max(start + shortest, from + 2) // no boundary alone
      const stop = Math.min(start + longest, to + 1)
      let run = runSeed
      for (let k = start; k < stop; k++) {
        run = step(run, codes[k]!)
        if (k + 1 >= first) into[size++] = runsFrom + (mixed(run) >>> shift)
      }
    }
  }
  return size
}

interface Tally {
  readonly table: Int32Array
  readonly mask: number
  readonly buckets: Int32Array
  readonly counts: Int32Array
}

/** Counts equal numbers among the first `total`, and returns how many different ones there are. */
function tally(numbers: Int32Array, total: number, { table, mask, buckets, counts }: Tally): number {
  let size = 0
  for (let i = 0; i < total; i++) {
    const number = numbers[i]!
    let at = number & mask
    let slot = table[at]!
    while (slot !== 0 && buckets[slot - 1] !== number) {
      at = (at + 1) & mask
      slot = table[at]!
    }
    if (slot !== 0) counts[slot - 1]!++
    else {
      buckets[size] = number
      counts[size] = 1
      table[at] = ++size
    }
  }
  return size
}

/** The least power of two that is no less, from 64 on. */
function powerOfTwo(least: number): number {
  return 2 ** (32 - Math.clz32(Math.max(64, least) - 1))
}

/** One step of FNV-1a, by whole characters. */
function step(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}

/** Spreads every bit of a hash over its upper ones. */
export function mixed(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
}

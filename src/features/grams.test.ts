import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type GramOptions, gramCounter } from './grams.ts'

const fine = { bits: 30 } // so fine that two pieces of a short text do not meet

/** How often each piece occurred, most frequent first: what is left of them without their names. */
function counted(text: string, options: GramOptions): number[] {
  const counter = gramCounter(options)
  const size = counter.count(text)
  return [...counter.counts.subarray(0, size)].sort((a, b) => b - a)
}

/** The same pieces by cutting up the text, for texts of words with single spaces. */
function piecesOf(text: string, { words, characters: [shortest, longest] }: GramOptions): string[] {
  const list = text.split(' ').filter((word) => word !== '')
  const pairs = words === 2 ? list.slice(1).map((word, k) => `pair ${list[k]} ${word}`) : []
  const runs = list.flatMap((word) => {
    const padded = `<${word}>`
    const lengths = Array.from({ length: Math.max(0, longest - shortest + 1) }, (_, k) => shortest + k)
    return lengths.flatMap((n) =>
      Array.from({ length: Math.max(0, padded.length - n + 1) }, (_, k) => `run ${padded.slice(k, k + n).replace(/[<>]/g, '|')}`),
    )
  })
  const isBoundary = (piece: string) => piece === 'run |'
  return [...list, ...pairs, ...runs].filter((piece) => !isBoundary(piece))
}

it('counts words, pairs of words and runs of characters', () => {
  expect(counted('a b a', { words: 1, characters: [1, 0], ...fine })).toEqual([2, 1]) // a, b
  expect(counted('a b a', { words: 2, characters: [1, 0], ...fine })).toEqual([2, 1, 1, 1]) // and ab, ba
  // abab, |a ab ba ab b|, |ab aba bab ab|
  expect(counted('abab', { words: 1, characters: [2, 3], ...fine })).toEqual([2, 1, 1, 1, 1, 1, 1, 1, 1])
})

it.each([
  { words: 2, characters: [1, 4], ...fine },
  { words: 2, characters: [3, 5], ...fine },
  { words: 1, characters: [2, 2], ...fine },
] as const)('agrees with cutting up the text: $words words, $characters characters', (options) => {
  const texts = fc
    .array(fc.string({ unit: fc.constantFrom(...'abcñ'), minLength: 1, maxLength: 9 }), { maxLength: 12 })
    .map((words) => words.join(' '))
  fc.assert(
    fc.property(texts, (text) => {
      const counts = new Map<string, number>()
      for (const piece of piecesOf(text, options)) counts.set(piece, (counts.get(piece) ?? 0) + 1)
      expect(counted(text, options)).toEqual([...counts.values()].sort((a, b) => b - a))
    }),
  )
})

it('puts words into the first half of the buckets and runs of characters into the second, where they are to be apart', () => {
  const bucketsIn = (text: string, options: GramOptions) => {
    const counter = gramCounter(options)
    const size = counter.count(text)
    return [...counter.buckets.subarray(0, size)]
  }
  const half = 2 ** 29
  const words = bucketsIn('abc ab abc', { words: 2, characters: [1, 0], ...fine, apart: true })
  expect(words.length).toBe(4) // abc, ab, abc ab, ab abc
  expect(words.every((bucket) => bucket < half)).toBe(true)
  const all = bucketsIn('abc ab abc', { words: 2, characters: [1, 3], ...fine, apart: true })
  expect(all.filter((bucket) => bucket < half)).toEqual(words)
  expect(all.filter((bucket) => bucket >= half).length).toBe(
    bucketsIn('abc ab abc', { words: 2, characters: [1, 3], ...fine }).length - 4,
  )
})

it('gives pairs of characters to scripts without spaces', () => {
  const shared = (a: string, b: string) => {
    const counter = gramCounter({ words: 2, characters: [1, 4], ...fine })
    const bucketsOf = (text: string) => {
      const size = counter.count(text)
      return [...counter.buckets.subarray(0, size)]
    }
    const first = new Set(bucketsOf(a))
    return bucketsOf(b).filter((bucket) => first.has(bucket)).length
  }
  expect(shared('免費送', '全免費')).toBe(3) // 免, 費, 免費
  expect(shared('免費送', '費免全')).toBe(2)
  expect(shared('สวัสดีครับ', 'สวัสดีค่ะ')).toBeGreaterThan(10) // runs of letters, where words differ
})

it('counts a text of a megabyte after a short one and before another', () => {
  const counter = gramCounter({ words: 2, characters: [1, 4], bits: 18 })
  const short = counter.count('short text')
  expect(counter.count('long text '.repeat(100_000))).toBeLessThan(60)
  expect(counter.count('short text')).toBe(short)
})

it('finds nothing in an empty text', () => {
  expect(counted('', { words: 2, characters: [1, 4], bits: 18 })).toEqual([])
})

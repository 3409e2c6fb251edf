import type { Encoder } from './encode.ts'
import { type GramCounter, type GramOptions, gramCounter } from './grams.ts'
import { bucketsOf, type TextPart } from './recipe.ts'

/** Chosen by test errors of models from 200 labels: docs/decisions/features.md. */
const defaultPieces: GramOptions = { words: 2, characters: [1, 4], bits: 19, apart: true }
/** Lengths of what is made of words and of what is made of characters. With length 1 the usual penalty would drown 200 labels. */
const textNorms = [7, 14] as const

/** Counts in how many texts each piece occurs: whole numbers, so that the order of the texts has no say. */
export function textLearner(column: string, pieces: GramOptions = defaultPieces) {
  const counter = gramCounter(pieces)
  const occurrences = new Uint32Array(2 ** pieces.bits)
  let texts = 0
  return {
    add(text: string | null): void {
      if (text === null) return
      texts++
      const size = counter.count(text)
      const { buckets } = counter
      for (let k = 0; k < size; k++) occurrences[buckets[k]!]!++
    },
    learn(): TextPart {
      const gaps: number[] = []
      const kept: number[] = []
      let before = -1
      for (let bucket = 0; bucket < occurrences.length; bucket++) {
        if (occurrences[bucket]! < 2) continue // what occurs once says nothing about other texts
        gaps.push(bucket - before)
        kept.push(occurrences[bucket]!)
        before = bucket
      }
      return { kind: 'text', column, pieces, norm: textNorms, texts, gaps, occurrences: kept }
    },
  }
}

/**
 * Features of texts, TF-IDF with rows of equal length, those of words and those of characters each by themselves:
 *
 *   xⱼ = norm · wⱼ / ‖w‖,   wⱼ = (1 + ln count) · (1 + ln((1 + texts) / (1 + texts with it)))
 *
 * A text none of whose pieces is a feature has zeros only, as has a missing one.
 */
export function textEncoder(part: TextPart, start: number): (texts: readonly (string | null)[]) => Encoder {
  const { pieces, norm, texts: total, occurrences } = part
  const counter = gramCounter(pieces)
  const features = new Int32Array(2 ** pieces.bits).fill(-1)
  const buckets = bucketsOf(part)
  for (const [feature, bucket] of buckets.entries()) features[bucket] = start + feature
  const runsFrom = start + (pieces.apart ? buckets.filter((bucket) => bucket < 2 ** (pieces.bits - 1)).length : buckets.length)
  const rarity = new Float64Array(start + occurrences.length)
  for (const [k, n] of occurrences.entries()) rarity[start + k] = 1 + Math.log((1 + total) / (1 + n))
  let found = new Int32Array(0)
  let weights = new Float64Array(0)

  return (texts) => (row, sink) => {
    const text = texts[row]!
    if (text === null) return
    const size = counter.count(text)
    if (found.length < size) {
      found = new Int32Array(2 * size)
      weights = new Float64Array(2 * size)
    }
    const kept = weigh(counter, size, { features, rarity }, found, weights)
    scaleInPlace(found, weights, kept, { norm, runsFrom })
    sink.putAll(found, weights, kept)
  }
}

/** 1 + ln n */
const repetition = Float64Array.from({ length: 256 }, (_, n) => 1 + Math.log(n))

/** Writes the features among the buckets of a text, and their weights; returns how many. */
function weigh(
  { buckets, counts }: GramCounter,
  size: number,
  { features, rarity }: { readonly features: Int32Array; readonly rarity: Float64Array },
  found: Int32Array,
  weights: Float64Array,
): number {
  let kept = 0
  for (let k = 0; k < size; k++) {
    const feature = features[buckets[k]!]!
    if (feature < 0) continue
    const n = counts[k]!
    found[kept] = feature
    weights[kept++] = (n < 256 ? repetition[n]! : 1 + Math.log(n)) * rarity[feature]!
  }
  return kept
}

interface Lengths {
  readonly norm: TextPart['norm']
  /** The first feature that is made of characters. */
  readonly runsFrom: number
}

/** Brings the first numbers of a list to length `norm`: those of words and those of runs of characters each to its own, where there are two. */
function scaleInPlace(found: Int32Array, values: Float64Array, size: number, { norm, runsFrom }: Lengths): void {
  let [words, runs] = [0, 0]
  for (let k = 0; k < size; k++) {
    const square = values[k]! * values[k]!
    if (found[k]! < runsFrom) words += square
    else runs += square
  }
  const [ofWords, ofRuns] = typeof norm === 'number' ? [norm, norm] : norm
  const [wordFactor, runFactor] = [ofWords / Math.sqrt(words), ofRuns / Math.sqrt(runs)]
  for (let k = 0; k < size; k++) values[k]! *= found[k]! < runsFrom ? wordFactor : runFactor
}

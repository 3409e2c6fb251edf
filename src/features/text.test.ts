import { expect, it } from 'vitest'
import { predictedClass, scorerOf } from '../core/model.ts'
import { uniform } from '../core/randomness.ts'
import { logisticLearner } from '../learners/margin-learner.ts'
import { sparseRows } from './encode.ts'
import { applied, build, describeFeatures, rowsIn } from './features.contract.ts'
import { bucketsOf, type TextPart } from './recipe.ts'
import { textEncoder, textLearner } from './text.ts'

const messages = [
  'Win a FREE prize now, call 0800 123',
  'free entry: win £100 cash now!!!',
  'are you coming home for dinner tonight',
  null,
  'dinner at home? call me',
  '',
  'café près de la gare',
  'CAFÉ pre\u0300s de la gare',
  '免費送 iPhone ❤️',
  '送免費 iPhone ❤',
  '免費送來了',
  'İstanbul’da kar',
]

describeFeatures('texts', { body: messages }, { text: ['body'] })
describeFeatures('texts, numbers and categories', mixedTable(), { text: ['body'], category: ['kind'] })

it('weighs words by rarity and repetition, and brings rows to one length', () => {
  const pieces = { words: 1, characters: [1, 0], bits: 18 } as const
  const texts = ['cat cat dog', 'cat bird', 'dog bird', 'owl', null, '']
  const learner = textLearner('body', pieces)
  for (const text of texts) learner.add(text)
  const part = learner.learn()
  expect([part.texts, part.gaps.length, part.occurrences]).toEqual([5, 3, [2, 2, 2]]) // the owl came once

  const rows = rowsIn(sparseRows([textEncoder(part, 0)(texts)], texts.length, 3, 0))
  const weight = (count: number) => (1 + Math.log(count)) * (1 + Math.log(6 / 3))
  const length = Math.hypot(weight(2), weight(1))
  const scaled = [weight(2), weight(1)].map((w) => Math.fround(([part.norm].flat()[0]! * w) / length))
  expect(rows[0]!.filter((x) => x !== 0).sort((a, b) => b - a)).toEqual(scaled)
  expect(rows.slice(3)).toEqual([
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ])
})

it('brings words and runs of characters to lengths of their own', () => {
  const { recipe, features } = build({ body: messages }, { text: ['body'] })
  const part = recipe.parts[0] as TextPart
  const words = bucketsOf(part).filter((bucket) => bucket < 2 ** (part.pieces.bits - 1)).length
  const [row] = rowsIn(features)
  expect([words, part.gaps.length - words].every((count) => count > 3)).toBe(true)
  expect(Math.hypot(...row!.slice(0, words))).toBeCloseTo(7, 5)
  expect(Math.hypot(...row!.slice(words))).toBeCloseTo(14, 5)
})

it('applies recipes whose words and characters share one length', () => {
  const learner = textLearner('body', { words: 2, characters: [1, 3], bits: 18 })
  for (const text of messages) learner.add(text)
  const part = { ...learner.learn(), norm: 10 }
  const [row] = rowsIn(sparseRows([textEncoder(part, 0)(messages)], messages.length, part.gaps.length, 0))
  expect(Math.hypot(...row!)).toBeCloseTo(10, 5)
})

it('makes the same features of texts that read the same', () => {
  const { features } = build({ body: messages }, { text: ['body'] })
  const rows = rowsIn(features)
  expect(rows[7]).toEqual(rows[6])
  expect(rows[8]).not.toEqual(rows[9]) // the order of Chinese characters counts
  expect(rows[0]!.some((x) => x !== 0)).toBe(true)
})

it('gives zeros to a new text with nothing known in it', () => {
  const { recipe } = build({ body: ['good day', 'good night', 'bad day'] }, { text: ['body'] })
  const [known, unknown, empty] = applied(recipe, { body: ['good', 'ЖШ', null] })
  expect(Math.hypot(...known!)).toBeCloseTo(Math.hypot(7, 14), 5)
  expect([...unknown!, ...empty!].every((x) => x === 0)).toBe(true)
})

it('keeps what 5,000 texts share, and stays sparse', () => {
  const made = Array.from({ length: 1000 }, (_, i) => madeMessage(i).text)
  const body = Array.from({ length: 5000 }, (_, i) => `${made[i % 1000]} ${made[(i * 7) % 1000]}`)
  const { recipe, features } = build({ body }, { text: ['body'] }, { batch: 2048 })
  expect(recipe.layout).toBe('sparse')
  expect(features.rows).toBe(5000)
  expect(JSON.stringify(recipe).length).toBeLessThan(100_000)
})

it('lets a linear model tell made spam from made ham by 60 labels', () => {
  const made = Array.from({ length: 1000 }, (_, i) => madeMessage(i))
  const { features } = build({ body: made.map(({ text }) => text) }, { text: ['body'] }, { batch: 100 })
  const labelled = Array.from({ length: 60 }, (_, i) => i)
  const labels = labelled.map((i) => made[i]!.label)
  const model = logisticLearner().fit({ features: features.select(labelled), labels, weights: labels.map(() => 1) }, [
    'ham',
    'spam',
  ])
  if (model instanceof Promise) throw new TypeError('logistic regression answers at once')
  const score = scorerOf(model)
  const scores = new Float64Array(1)
  const errorOver = (truth: (i: number) => number) => {
    let wrong = 0
    for (let i = 60; i < made.length; i++) {
      score(features, i, scores, 0)
      if (predictedClass(scores) !== truth(i)) wrong++
    }
    return wrong / (made.length - 60)
  }
  expect(errorOver((i) => made[i]!.label)).toBeLessThan(0.05)
  expect(errorOver((i) => made[i - 1]!.label)).toBeGreaterThan(0.2) // with labels of other rows: the test has power
})

/** A message of ten words: mostly everyday ones, and a few that its kind prefers. */
function madeMessage(i: number): { text: string; label: number } {
  const lot = (name: string) => uniform(3, name, `${i}`)
  const label = lot('label') < 0.4 ? 1 : 0
  const own =
    label === 1
      ? ['free', 'prize', 'claim', 'txt', 'win', '£500', 'cash', 'urgent']
      : ['home', 'love', 'later', 'ok', 'dinner', 'lol', 'sleep', 'class']
  const common = ['the', 'you', 'to', 'and', 'now', 'call', 'have', 'it', 'in', 'me', 'at', 'is', 'we', 'this']
  const words = Array.from({ length: 10 }, (_, k) => {
    const list = lot(`list ${k}`) < 0.25 ? own : common
    return list[Math.floor(lot(`word ${k}`) * list.length) % list.length]!
  })
  return { text: words.join(' '), label }
}

function mixedTable() {
  const kinds = ['a', 'b', null]
  return {
    body: messages,
    size: messages.map((_, i) => (i === 4 ? null : i ** 2)),
    kind: messages.map((_, i) => kinds[i % 3]!),
  }
}

// How fast texts become features, and how large these are: `node bench/features/main.ts`. With `--file <tsv>`: texts of one's own.
import { existsSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { cpuUsage } from 'node:process'
import { parseArgs } from 'node:util'
import { drawTable } from '../../src/cli/terminal/table.ts'
import type { FeatureRows } from '../../src/core/features.ts'
import { uniform } from '../../src/core/randomness.ts'
import type { RowBatch } from '../../src/core/rows.ts'
import { applyRecipe } from '../../src/features/apply.ts'
import { type BuiltFeatures, featureBuilder } from '../../src/features/builder.ts'
import { rolesOf } from '../../src/features/roles.ts'
import { count } from '../../src/text/wording.ts'

const { values } = parseArgs({
  options: { file: { type: 'string' }, texts: { type: 'string', default: '50000' }, repeats: { type: 'string', default: '5' } },
})
const repeats = Number(values.repeats)

const own = values.file !== undefined && existsSync(values.file) ? textsIn(values.file) : madeTexts(5000)
const texts = Array.from({ length: Number(values.texts) }, (_, i) => own[i % own.length]!)
const roles = rolesOf(
  {
    columns: [{ name: 'text', kind: 'text', missing: 0, distinct: own.length, meanLength: 80, examples: [] }],
    rows: texts.length,
  },
  { text: ['text'] },
)

const reference = timed(() => countWords(texts))
const learned = timed(() => learn(texts))
const applied = timed(() => apply(learned.result, texts))
const characters = texts.reduce((sum, text) => sum + text.length, 0) / texts.length
console.log(
  `${count(texts.length)} texts, ${characters.toFixed(0)} characters each on average; ${cpus()[0]?.model}, node ${process.version}`,
)
console.log(
  drawTable({
    columns: [
      { title: 'work' },
      { title: 'texts a second', align: 'right' },
      { title: 'time beside counting words', align: 'right' },
    ],
    rows: [
      ['count words with split and a Map', speed(reference.seconds), '1.00'],
      ['learn and build (two passes)', speed(learned.seconds), (learned.seconds / reference.seconds).toFixed(2)],
      ['apply', speed(applied.seconds), (applied.seconds / reference.seconds).toFixed(2)],
    ],
  }),
)

const once = learn(own)
const entries = entriesOf(once.features)
console.log(
  `\n${count(own.length)} texts once: ${count(once.recipe.width)} features kept, ${(entries / own.length).toFixed(0)} a text on average,`,
)
console.log(
  `${megabytes(8 * entries)} of features, ${megabytes(JSON.stringify(once.recipe).length)} of recipe, ${megabytes(4 * own.length * once.recipe.width)} had they been dense`,
)

function learn(all: readonly string[]): BuiltFeatures {
  const builder = featureBuilder(roles, all.length)
  for (const batch of batches(all)) builder.add(batch)
  return builder.finish()
}

function apply({ recipe }: BuiltFeatures, all: readonly string[]): void {
  const applied = applyRecipe(recipe)
  for (const batch of batches(all)) applied.features(batch)
}

function* batches(all: readonly string[], size = 2048): Generator<RowBatch> {
  for (let start = 0; start < all.length; start += size) {
    const part = all.slice(start, start + size)
    yield { start, rows: part.length, columns: [{ kind: 'text', values: part }] }
  }
}

/** The least that is done with a text: lower case, words, a count of each. */
function countWords(all: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of all) for (const word of text.toLowerCase().split(/\W+/)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** The median of the processor's time over a few runs, after one to warm up: other work on the machine does not count. */
function timed<T>(work: () => T): { result: T; seconds: number } {
  let result = work()
  const times = Array.from({ length: repeats }, () => {
    const before = cpuUsage()
    result = work()
    const { user, system } = cpuUsage(before)
    return (user + system) / 1e6
  }).sort((a, b) => a - b)
  return { result, seconds: times[Math.floor(repeats / 2)]! }
}

function entriesOf(features: FeatureRows): number {
  const column = new Float64Array(features.columns)
  let entries = 0
  for (let row = 0; row < features.rows; row++) {
    column.fill(0)
    features.addInPlace(row, 1, column)
    for (const value of column) if (value !== 0) entries++
  }
  return entries
}

/** The last column of a file of tab-separated values. */
function textsIn(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(1)
  return lines.filter((line) => line !== '').map((line) => line.split('\t').at(-1)!)
}

/** Texts of made words, the frequent ones short, as in a language. */
function madeTexts(n: number): string[] {
  const lot = (stream: string, k: number) => uniform(1, stream, `${k}`)
  const letters = 'etaoinshrdlucmfwygpbvk'
  const words = Array.from({ length: 4000 }, (_, w) =>
    Array.from(
      { length: 2 + Math.floor(Math.log2(w + 1) / 2 + 3 * lot('length', w)) },
      (_, k) => letters[Math.floor(letters.length * lot('letter', 100 * w + k) ** 1.5)] ?? 'e',
    ).join(''),
  )
  return Array.from({ length: n }, (_, i) =>
    Array.from(
      { length: 4 + Math.floor(24 * lot('words', i)) },
      (_, k) => words[Math.floor(words.length ** lot('word', 100 * i + k)) - 1] ?? 'the',
    ).join(' '),
  )
}

function speed(seconds: number): string {
  return count(Math.round(texts.length / seconds))
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`
}

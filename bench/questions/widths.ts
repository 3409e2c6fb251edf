import { audit } from '../../src/audit.ts'
import { drawTable } from '../../src/cli/terminal/table.ts'
import { uniform } from '../../src/core/randomness.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import type { Goal } from '../../src/questions/record.ts'
import { question } from '../../src/questions/spec.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { count } from '../../src/text/wording.ts'
import { type TestPoint, testPool } from '../../test/questions/test-pool.ts'
import { betaPool } from './beta-pool.ts'
import { choose, exactLook } from './exact-look.ts'
import { summaryOf } from './statistics.ts'

const right = { align: 'right' as const }

/** `--budget n`: the half-width over that of one exact (hypergeometric) look at a uniform sample of n: mean widths over those of all samples. */
export async function budgets(runs: number): Promise<string> {
  const rows: string[][] = []
  for (const size of [568, 6000, 20_000])
    for (const error of [0.02, 0.05, 0.2, 0.5]) {
      const cells: string[] = []
      for (const budget of [100, 200, 300]) {
        cells.push((await ratioOf({ size, error, budget }, runs)).toFixed(2))
      }
      rows.push([count(size), `${100 * error} %`, ...cells])
    }
  const titles = ['100 answers', '200', '300']
  const columns = [{ title: 'points', ...right }, { title: 'error', ...right }, ...titles.map((title) => ({ title, ...right }))]
  return `Half-width with a budget, over one exact look; constant confidences, ${runs} runs\n${drawTable({ columns, rows })}`
}

async function ratioOf({ size, error, budget }: { size: number; error: number; budget: number }, runs: number): Promise<number> {
  let [own, exact] = [0, 0]
  for (let seed = 0; seed < runs; seed++) {
    const points = pointsOf(size, seed, error, 'constant')
    const { low, high } = (await outcomeOf(points, seed, { budget })).asked
    own += high! - low!
    exact += expectedLook(points.filter(isWrong).length, budget, size)
  }
  return own / exact
}

/** The width of one exact look, in the mean over all samples. */
function expectedLook(wrong: number, sample: number, size: number): number {
  let width = 0
  for (let hits = Math.max(0, sample - size + wrong); hits <= Math.min(sample, wrong); hits++) {
    const chance = Math.exp(choose(wrong, hits) + choose(size - wrong, sample - hits) - choose(size, sample))
    if (chance < 1e-9) continue
    const [least, most] = looks(hits, sample, size)
    width += chance * (most - least)
  }
  return width
}

const known = new Map<string, readonly [number, number]>()
function looks(hits: number, sample: number, size: number): readonly [number, number] {
  const key = `${hits} ${sample} ${size}`
  const look = known.get(key) ?? exactLook(hits, sample, size)
  known.set(key, look)
  return look
}

/** Answers to a tolerance: median and 90th percentile. */
export async function tolerances(runs: number): Promise<string> {
  const rows: string[][] = []
  for (const size of [5000, 20_000])
    for (const confidence of ['good', 'Beta', 'constant', 'shuffled'] as const) {
      const cells: string[] = []
      for (const tolerance of [0.1, 0.05, 0.02, 0.01]) {
        const answers: number[] = []
        for (let seed = 0; seed < runs; seed++)
          answers.push((await outcomeOf(pointsOf(size, seed, 0.05, confidence), seed, { tolerance })).answers)
        const { median, ninetieth } = summaryOf(answers)
        cells.push(`${count(median)} (${count(ninetieth)})`)
      }
      rows.push([count(size), confidence, ...cells])
    }
  const titles = ['±10 %', '±5 %', '±2 %', '±1 %']
  const columns = [{ title: 'points', ...right }, { title: 'confidences' }, ...titles.map((title) => ({ title, ...right }))]
  return `Answers to a tolerance, error 5 %: median (90th percentile), ${runs} runs\n${drawTable({ columns, rows })}`
}

const isWrong = ({ predicted, truth }: TestPoint) => predicted !== truth

type Confidence = 'good' | 'Beta' | 'constant' | 'shuffled'

/** Errors where the model doubts, in two ways (AUC .91); or confidences that are all alike, or belong to other points. */
function pointsOf(size: number, seed: number, error: number, confidence: Confidence): TestPoint[] {
  if (confidence === 'Beta') return betaPool(size, seed, error)
  const chanceOf = (i: number) => {
    const doubt = uniform(seed, 'doubt', `${i}`) ** 6
    return Math.min(0.95, 7 * error * doubt)
  }
  return Array.from({ length: size }, (_, i) => {
    const own = confidence === 'constant' ? error : chanceOf(i)
    const isOff = uniform(seed, 'wrong', `${i}`) < own
    const predicted = uniform(seed, 'predicted', `${i}`) < 0.4 ? 1 : 0
    const chance = confidence === 'shuffled' ? chanceOf((i + 1) % size) : own
    return { predicted, chance, truth: isOff ? 1 - predicted : predicted }
  })
}

/** An audit of the error, to its goal. */
export async function outcomeOf(points: readonly TestPoint[], seed: number, goal: Goal) {
  const { subject, truth } = testPool(points, { classes: ['no', 'yes'], models: ['model'], slices: [] })
  const plan = { store: memoryStore(), oracle: columnOracle(truth), questions: [question('error')], seed, ...goal }
  const last = (await Array.fromAsync(audit({ subject: subject(), ...plan }))).at(-1)!
  return { asked: last.questions[0]!, answers: last.answered }
}

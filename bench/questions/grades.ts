import { audit } from '../../src/audit.ts'
import { drawTable } from '../../src/cli/terminal/table.ts'
import { hashIds, uniformsOf } from '../../src/core/randomness.ts'
import type { Label } from '../../src/core/record.ts'
import { doubtPlace, gradePlace, stratumCodes } from '../../src/core/strata.ts'
import { stratifiedMemory } from '../../src/engines/stratified.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import { axesOf, type Frame } from '../../src/questions/frame.ts'
import { question } from '../../src/questions/spec.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { count } from '../../src/text/wording.ts'
import { summaryOf } from './statistics.ts'

const frame: Frame = { classes: [], models: [], slices: [], range: [1, 5] }
const size = 2000

/** Shares of the grades 1 to 5, and answers to ±.2 and ±.1 that the design has: without a model, and with one. */
const pools = [
  { name: 'mean 4.15, variance 1.23', shares: [0.04, 0.06, 0.13, 0.25, 0.52], designed: [181, 543, 79, 186] },
  { name: 'mean 3.00, variance 2.00', shares: [0.2, 0.2, 0.2, 0.2, 0.2], designed: [250, 730, 80, 203] },
  { name: 'mean 4.72, variance 0.44', shares: [0.007, 0.017, 0.03, 0.141, 0.805], designed: [77, 273, 74, 164] },
]

/**
 * What a model says where it is wrong, in 30 % of all points: a grade next to the right one, or any other. The design does not say which of
 * them its figures are about, so they stand beside both.
 */
const models = { none: 'no model', near: 'wrong by one', far: 'wrong by any' } as const
type Model = keyof typeof models

/** Answers until the mean of grades from 1 to 5 is known to a width: medians. */
export async function grades(runs: number): Promise<string> {
  const rows: string[][] = []
  for (const { name, shares, designed } of pools)
    for (const model of Object.keys(models) as Model[]) {
      const cells: string[] = []
      for (const [k, tolerance] of [0.2, 0.1].entries()) {
        const answers: number[] = []
        for (let seed = 0; seed < runs; seed++) answers.push(await answersFor(shares, model, tolerance, seed))
        const { median, low, high } = summaryOf(answers)
        cells.push(`${count(median)} (${count(low)}–${count(high)})`, `${designed[(model === 'none' ? 0 : 2) + k]}`)
      }
      rows.push([name, models[model], ...cells])
    }
  const titles = ['±.2', 'designed', '±.1', 'designed']
  const columns = [
    { title: 'grades' },
    { title: 'model, right in 70 %' },
    ...titles.map((title) => ({ title, align: 'right' as const })),
  ]
  return `Answers until the mean of ${count(size)} grades is known, median (its 95 % interval), ${runs} runs\n${drawTable({ columns, rows })}`
}

async function answersFor(shares: readonly number[], model: Model, tolerance: number, seed: number): Promise<number> {
  const ids = Array.from({ length: size }, (_, i) => `p${i}`)
  const hashes = hashIds(ids)
  const [ofGrade, ofRight, ofWrong] = ['grade', 'right', 'wrong'].map((name) => uniformsOf({ seed, name }, hashes)) as [
    (i: number) => number,
    (i: number) => number,
    (i: number) => number,
  ]
  const truths = ids.map((_, i) => gradeAt(shares, ofGrade(i)))
  const { code } = stratumCodes(axesOf(frame))
  const codes = Float64Array.from(truths, (truth, i) => {
    const said = model === 'none' ? 3 : ofRight(i) <= 0.7 ? truth : otherThan(truth, model, ofWrong(i))
    const grade = gradePlace((said - 1) / 4)
    return code({ predicted: [], doubt: doubtPlace(0.5), runnerUp: 0, share: 0, grade, slices: [] })
  })
  const subject = { pool: stratifiedMemory({ ids, codes }), frame, model: 'grades' }
  const oracle = columnOracle(new Map<string, Label>(truths.map((truth, i) => [ids[i]!, `${truth}`])))
  const rounds = audit({ subject, store: memoryStore(), oracle, questions: [question('mean')], seed, tolerance })
  return (await Array.fromAsync(rounds)).at(-1)!.answered
}

function gradeAt(shares: readonly number[], u: number): number {
  let grade = 1
  for (let sum = shares[0]!; sum < u && grade < shares.length; grade++) sum += shares[grade]!
  return grade
}

function otherThan(truth: number, model: Model, u: number): number {
  const others = [1, 2, 3, 4, 5].filter((grade) => grade !== truth && (model === 'far' || Math.abs(grade - truth) === 1))
  return others[Math.min(others.length - 1, Math.floor(u * others.length))]!
}

import { describe, expect, it } from 'vitest'
import { emptyBelief, marginOf, type Reader } from '../../core/belief.ts'
import * as f from '../../core/formula.ts'
import { evaluate, type Formula } from '../../core/formula.ts'
import { marginBin, marginBins } from '../../core/margins.ts'
import { uniform } from '../../core/randomness.ts'
import type { RoundFacts } from '../../core/record.ts'
import { surveyor } from '../../core/survey.ts'
import { losses } from '../../losses/catalogue.ts'
import { crossEntropy } from '../../losses/cross-entropy.ts'
import { errorOf } from '../../losses/error.ts'
import { logistic } from '../../losses/logistic.ts'
import { stratifyModel } from '../../losses/strata.ts'
import { doubt } from '../../masses/doubt.ts'
import type { Ingredient } from '../../masses/mass.ts'
import { pseudoLossLinear } from '../../masses/pseudo-loss-linear.ts'
import { strategies } from '../../strategies/catalogue.ts'
import { iwalStrategy } from '../../strategies/iwal.ts'
import type { Dialect } from './dialect.ts'
import { type Named, selectFormulas } from './select.ts'

/** Answers a query with rows of numbers. */
export type Ask = (sql: string) => Promise<readonly (readonly number[])[]>

const points = 200

/** Scores far and near, ties among them, and a predicted class where an audit has one. */
function scoresAt(i: number, width: number): number[] {
  const spread = [0, 1, 30, 2000][i % 4]!
  return Array.from({ length: width }, (_, k) => {
    const z = spread * (2 * uniform(3, `score/${k}`, `${i}`) - 1)
    return i % 7 === 0 ? Math.round(z) : z
  })
}
const formsAt = (i: number) => [1.5 + Math.sin(i), 0.3]

interface Case {
  readonly name: string
  /** Named formulas, of the columns s0, s1, … and q0, q1. */
  readonly formulas: Named
  scores(i: number): number[]
  /** The values of the closure at a point, in the order of the formulas. */
  values(i: number): number[]
}

const columnsFor = (width: number) => Array.from({ length: width }, (_, k) => f.column(`s${k}`))

function readerCase(reader: Reader, classes: number, scores: (i: number) => number[]): Case {
  const { probabilities, losses } = reader.express!(columnsFor(scores(0).length), classes)
  const all = [...probabilities, ...losses]
  return {
    name: `${reader.name}, ${classes} classes`,
    formulas: Object.fromEntries(all.map((formula, k) => [`r${k}`, formula])),
    scores,
    values(i) {
      const belief = emptyBelief(classes)
      reader.read(scores(i), belief)
      return [...belief.probabilities, ...belief.losses]
    },
  }
}

function strataCase(loss: Reader, classes: number, scores: (i: number) => number[]): Case {
  const { name, code, express } = stratifyModel(loss, classes).stratify
  const formulas = { r0: express!(columnsFor(scores(0).length)) }
  return { name: `${name}, ${classes} classes`, formulas, scores, values: (i) => [code(scores(i))] }
}

/** Ranks as a histogram of these very margins would give them; any table would do. */
const ranks = Float64Array.from({ length: marginBins }, (_, bin) => 1 / (bin + 1))

function ingredientCase(ingredient: Ingredient, reader: Reader, classes: number, scores: (i: number) => number[]): Case {
  const forms = [f.column('q0'), f.column('q1')]
  const belief = { ...reader.express!(columnsFor(scores(0).length), classes), forms }
  return {
    name: `${ingredient.name} of ${reader.name}`,
    formulas: { r0: ingredient.express!(belief, ranks) },
    scores,
    values(i) {
      const read = emptyBelief(classes, 2)
      read.forms.set(formsAt(i))
      reader.read(scores(i), read)
      return [ingredient.value(read, ranks)]
    },
  }
}

function cases(): Case[] {
  const one = (i: number) => scoresAt(i, 1)
  const many = (i: number) => scoresAt(i, 5)
  const margins = Object.values(losses).filter((loss) => loss !== crossEntropy)
  const learners: [Reader, number, (i: number) => number[]][] = [
    [logistic, 2, one],
    [crossEntropy, 5, many],
  ]
  const masses = [...Object.values(strategies).map(({ mass }) => mass), iwalStrategy().massAfter!(passed)]
  const ingredients = [...new Set([...masses.flatMap(({ parts }) => parts.map(({ of }) => of)), doubt, pseudoLossLinear])]
  return [
    ...margins.map((loss) => readerCase(loss, 2, one)),
    ...margins.map((loss) => readerCase(errorOf(loss), 2, one)),
    readerCase(crossEntropy, 5, many),
    readerCase(errorOf(crossEntropy), 5, many),
    ...margins.map((loss) => strataCase(loss, 2, one)),
    strataCase(crossEntropy, 5, many),
    ...ingredients.flatMap((ingredient) => learners.map((learner) => ingredientCase(ingredient, ...learner))),
  ]
}

/** A record after which the query probability of `iwal` depends on the point. */
const passed: RoundFacts[] = [
  {
    round: 0,
    stream: 'given/0',
    strategy: 'given',
    design: 'given',
    size: 50,
    model: '',
    survey: surveyor(0).survey(),
    draws: Array.from({ length: 50 }, (_, k) => ({ id: `${k}`, probability: 1, order: k, mass: 1, remaining: 1, scores: [] })),
    answers: new Map(),
    revisions: [],
    isClosed: true,
  },
]

const inputsAt = (scores: readonly number[], i: number): Record<string, number> => ({
  i,
  ...Object.fromEntries([...scores.entries()].map(([k, s]) => [`s${k}`, s])),
  q0: formsAt(i)[0]!,
  q1: formsAt(i)[1]!,
})

/** Equal to 10⁻¹², of the size of the value or of 1. */
function expectClose(got: number, wanted: number, where: string): void {
  const error = Math.abs(got - wanted)
  expect(error <= 1e-12 * Math.max(1, Math.abs(wanted)), `${where}: ${got} for ${wanted}`).toBe(true)
}

/** A point whose margin is on the edge of a bin may fall on either side of it. */
const isOnEdge = (formula: Formula, margin: number) =>
  JSON.stringify(formula).includes('"entry"') && marginBin(margin * (1 + 1e-9)) !== marginBin(margin * (1 - 1e-9))

export interface Database {
  readonly dialect: Dialect
  readonly ask: Ask
  /** Rows to select from, where one query for each of them is slow. */
  readonly rows?: (rows: readonly Record<string, number>[]) => string | Promise<string>
}

/** Every loss, ingredient, lens and reading of an audit as a formula: the values of its function, computed here and in a database. */
export function describeFormulas(name: string, where?: Database): void {
  describe(`formulas have the values of their functions: ${name}`, () => {
    it.each(cases().map((given) => [given.name, given] as const))('%s', async (_, { formulas, scores, values }) => {
      const rows = Array.from({ length: points }, (_, i) => inputsAt(scores(i), i))
      const got = where
        ? await answersOf(where, formulas, rows)
        : rows.map((row) => Object.values(formulas).map((formula) => evaluate(formula, row)))
      for (const [i, row] of got.entries())
        for (const [k, value] of values(i).entries()) {
          const belief = emptyBelief(Math.max(2, scores(i).length))
          ;(scores(i).length === 1 ? logistic : crossEntropy).read(scores(i), belief)
          if (isOnEdge(Object.values(formulas)[k]!, marginOf(belief))) continue
          expectClose(row[k]!, value, `point ${i}, value ${k}`)
        }
    })

    it.runIf(where)('choices, numbers of 32 bits and places of texts', async () => {
      const { when, float, number, text, indexIn, entry } = where!.dialect
      const names = ["it's", 'b\\', 'c'].map(text)
      const asked: [string, number][] = [
        [when('1 < 2', number(3), number(4)), 3],
        [when('2 < 1', number(3), number(4)), 4],
        [float(number(0.1)), Math.fround(0.1)],
        [indexIn(names, text("it's"), -1), 0],
        [indexIn(names, text('b\\'), -1), 1],
        [indexIn(names, text('d'), 7), 7],
        [indexIn(names, entry(names, number(2)), -1), 2],
      ]
      const [row] = await where!.ask(`SELECT ${asked.map(([sql]) => float(sql)).join(', ')}`)
      expect(row).toEqual(asked.map(([, value]) => value))
    })
  })
}

async function answersOf(
  { dialect, ask, rows: write = (rows) => unionOf(rows, dialect) }: Database,
  formulas: Named,
  rows: readonly Record<string, number>[],
): Promise<readonly (readonly number[])[]> {
  const query = selectFormulas(`(${await write(rows)}) AS points`, ['i'], formulas, dialect)
  const answers = await ask(`SELECT * FROM (${query}) AS answers ORDER BY i`)
  return answers.map(([, ...values]) => values)
}

const unionOf = (rows: readonly Record<string, number>[], dialect: Dialect): string =>
  rows.map((row) => `SELECT ${Object.entries(row).map(([name, x]) => `${dialect.number(x)} AS ${name}`)}`).join(' UNION ALL ')

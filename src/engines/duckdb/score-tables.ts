import { requireInput } from '../../core/errors.ts'
import { scoresPerPoint } from '../../core/model.ts'
import type { QuadraticForm } from '../../core/quadratic-form.ts'
import type { ScoreRequest } from '../sql/engine.ts'
import {
  baseName,
  blockColumns,
  blockName,
  type FeatureBlock,
  needsSteps,
  type OtherBlock,
  scoreOf,
  scoresBy,
  squaresName,
} from '../sql/features.ts'
import { selectFormulas } from '../sql/select.ts'
import type { StrataRequest } from '../sql/strata.ts'
import { formName, scoreName } from '../sql/survey-formulas.ts'
import type { WorkingDatabase } from './database.ts'
import { duckdbDialect as dialect } from './dialect.ts'
import type { DuckdbPool } from './points.ts'

/** What a table is made of: scores and forms, or the codes of strata that follow from scores, as the column `code`. */
export interface TableRequest extends ScoreRequest {
  readonly strata?: StrataRequest
}

/** The scores (and forms) of all points, or their codes, in the order of the pool, for as long as they are in use. */
export interface ScoreTable {
  readonly name: string
  leave(): Promise<void>
}

/** Models whose scores are kept: several engines may be at work, each with its own. More, while they are in use. */
const mostKept = 3

interface KeptScores {
  readonly table: string
  readonly ready: Promise<void>
  users: number
}

/** Tables of scores of the latest models: the pool itself is read once for each model, by however many queries and engines. */
export function scoreTables(database: WorkingDatabase, size: number, pool: DuckdbPool) {
  const kept = new Map<string, KeptScores>() // the oldest first
  const strataNumbers = new WeakMap<StrataRequest, number>()
  let strataSoFar = 0

  function keyOf({ model, forms = [], strata }: TableRequest): string {
    if (!strata)
      return JSON.stringify([model.id, scoresPerPoint(model), ...forms.map((form) => form.map((vector) => Array.from(vector)))])
    const number = strataNumbers.get(strata) ?? strataSoFar++
    strataNumbers.set(strata, number)
    return `strata ${number}`
  }

  /** The scores of a model, made if they are not there; from now on they are the latest. */
  function keptFor(request: TableRequest): KeptScores {
    const key = keyOf(request)
    const known = kept.get(key)
    const table = known?.table ?? database.newName('scores')
    const own = known ?? { table, ready: writeScores(database, table, size, pool, request), users: 0 }
    if (!known) own.ready.catch(() => kept.get(key) === own && kept.delete(key)) // the next request tries again
    kept.delete(key)
    kept.set(key, own)
    return own
  }

  /** Forgets the oldest scores that are not in use, if they are too many. */
  async function forgetSome(): Promise<void> {
    for (const [key, own] of [...kept]) {
      if (kept.size <= mostKept) return
      if (own.users > 0 || kept.get(key) !== own) continue // in use, or forgotten meanwhile
      kept.delete(key)
      await database.rows(`DROP TABLE IF EXISTS ${own.table}`).catch(() => {}) // then it goes with the database
    }
  }

  return async (request: TableRequest): Promise<ScoreTable> => {
    const own = keptFor(request)
    own.users++
    const leave = async () => {
      own.users--
      await forgetSome()
    }
    try {
      await own.ready
      return { name: own.table, leave }
    } catch (error) {
      await leave()
      throw error
    }
  }
}

async function writeScores(
  database: WorkingDatabase,
  table: string,
  size: number,
  { from, blocks, steps }: DuckdbPool,
  { model, forms = [], strata, signal }: TableRequest,
): Promise<void> {
  const added = (block: OtherBlock, b: number, weights: readonly number[]) => scoreOf(block, blockName(b), weights, dialect)
  const scores = scoresBy(model, blocks, dialect, 'numbers', added, steps?.scoreOf).map(
    (score, k) => `${score} AS ${scoreName(k)}`,
  )
  const quadratics = forms.map((form, k) => `${sqlOf(form)} AS ${formName(k)}`)
  const further =
    steps && needsSteps(model, blocks) ? [{ name: squaresName, sql: dialect.squares(baseName) }, ...steps.lists] : []
  const base = forms.length + further.length > 0 ? [{ name: baseName, sql: listOf(blocks) }] : []
  const rows = [...base, ...further].reduce(
    (inner, { name, sql }) => `(SELECT *, ${sql} AS ${name} FROM ${inner})`,
    blockRows(from, blocks),
  )
  const scored = `SELECT ${[...scores, ...quadratics]} FROM ${rows}`
  const select = strata ? selectFormulas(`(${scored})`, [], { code: strata.code }, dialect) : scored
  await database.rows(`CREATE TABLE ${table} AS ${select}`, { step: 'scoring', signal })
  const [count] = (await database.rows(`SELECT count(*) FROM ${table}`))[0]!
  requireInput(Number(count) === size, `pool: must stay as it is while open, got ${count} points for ${size}`)
}

/** The rows of a pool with the columns of its blocks, and its numbers as one list `numbers` beside them. */
function blockRows(from: string, blocks: readonly FeatureBlock[]): string {
  const numbers = blocks.flatMap(({ kind }, b) => (kind === 'number' ? [blockName(b)] : []))
  return `(SELECT *, [${numbers}]::DOUBLE[] AS numbers FROM (SELECT ${blockColumns(blocks)} FROM ${from}))`
}

/** Σ (u·x)² of the features of a point and a 1. */
function sqlOf(form: QuadraticForm): string {
  const products = form.map((vector) => `list_dot_product(${baseName}, [${Array.from(vector, dialect.number)}])`)
  return `list_sum(list_transform([${products}], lambda v: v * v))`
}

/** The features of a point and a 1, as one list of doubles. */
function listOf(blocks: readonly FeatureBlock[]): string {
  const lists = blocks.map((block, k) => {
    const name = blockName(k)
    if (block.kind === 'number') return `[${name}]`
    if (block.kind === 'category') return `list_transform(range(${block.width}), lambda j: (j = ${name})::INTEGER::DOUBLE)`
    const { means, scale } = block
    const centred = `(${name}[j + 1]::DOUBLE - ([${means.map(dialect.number)}])[j + 1]) * ${dialect.number(scale)}`
    return `list_transform(range(${means.length}), lambda j: coalesce(${centred}, 0)::FLOAT::DOUBLE)`
  })
  return `list_concat(${[...lists, '[1e0]']})`
}

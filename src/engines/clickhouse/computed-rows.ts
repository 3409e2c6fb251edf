import type { Model } from '../../core/model.ts'
import type { QuadraticForm } from '../../core/quadratic-form.ts'
import type { Stream } from '../../core/randomness.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { ScoreRequest } from '../sql/engine.ts'
import {
  baseName,
  columnsOf,
  type FeatureBlock,
  needsSteps,
  type OtherBlock,
  scoreOf,
  scoresBy,
  squaresName,
  type TableFeatures,
  widthOfAll,
} from '../sql/features.ts'
import { type Named, stagedFormulas, type Written } from '../sql/select.ts'
import { formName, scoreColumns, scoreName } from '../sql/survey-formulas.ts'
import { uniformOf } from './dialect.ts'
import type { ScannedPool } from './points.ts'
import { check, type PointsLeft, type Rows } from './points-left.ts'

/** Points on ClickHouse that may still be drawn. Every pass scores them where they lie, and brings back sums. */
export interface PointsOnClickHouse extends ScoreRequest {
  readonly pool: ScannedPool
  readonly left: PointsLeft
  readonly dialect: Dialect
}

/** Columns that every row has, under names that no table is likely to use. */
const point = '__alis_point'

/** A computed value of a point, by its place among the formulas. */
export const valueAt = (k: number): string => `tupleElement(${point}, ${k + 1})`

/** The scores of a point, by name. */
export const scoresIn = (model: Model): Named => Object.fromEntries(scoreColumns(model).map((score, k) => [`score${k}`, score]))

/**
 * Rows that have formulas of their scores as one tuple, and a checksum beside it; with a stream, also formulas of its uniforms `u`.
 *
 * A query inside a query over a Distributed table would bring the rows of all shards to one server, and an alias is copied to
 * wherever it is used. So a value gets its name as the argument of a function, x → …, applied to a list of one: computed once, on the
 * shard, however often it is used.
 */
export function computedRows(points: PointsOnClickHouse, formulas: Named, stream?: Stream): Rows {
  const { model, forms = [], dialect } = points
  const { session, blocks, steps, hash, checksum } = points.pool
  const width = widthOfAll(blocks)
  const x = forms.length > 0 ? listOf(blocks, dialect) : ''
  const quadratics = forms.map((form, k) => ({ name: formName(k), sql: sqlOf(form, x, dialect) }))
  const uniforms = stream ? [{ name: 'u', sql: uniformOf(hash, stream) }] : []
  const { stages, columns } = stagedFormulas(formulas, dialect)
  const values = `tuple(${columns.map(({ sql }) => sql).join(', ')})`
  const [first, scores] = scoreStages(model, { blocks, steps }, dialect)
  const isFurther = steps !== undefined && needsSteps(model, blocks)
  const base = isFurther ? baseOf(blocks, dialect) : []
  const lists = isFurther && steps.lists.length > 0 ? [steps.lists] : []
  const chain = [[...first, ...quadratics, ...uniforms, ...base], ...lists, scores, ...stages].reduceRight(
    (inner, stage, k) => applied(stage, inner) + (k > 0 ? '[1]' : ''),
    values,
  )
  const from = `${session.table} ARRAY JOIN ${chain} AS ${point}, [${checksum}] AS ${check}`
  return { from, width: forms.length > 0 ? width ** 2 : columnsOf({ blocks, steps }) }
}

const applied = (stage: readonly Written[], inner: string): string =>
  `arrayMap((${stage.map(({ name }) => name)}) -> ${inner}, ${stage.map(({ sql }) => `[${sql}]`).join(', ')})`

/**
 * The scores of a model. Features that are columns of their own become one list first: a server takes long to understand a query
 * with sixty columns in each of ten scores. A list that is a column stays where it is, since every name it got would copy it.
 */
function scoreStages(
  model: Model,
  { blocks, steps }: Pick<TableFeatures, 'blocks' | 'steps'>,
  dialect: Dialect,
): [Written[], Written[]] {
  const products: Written[] = []
  const added = (block: OtherBlock, b: number, weights: readonly number[], k: number) => {
    if (block.kind === 'category') return scoreOf(block, `b${b}`, weights, dialect)
    products.push({ name: `b${b}_${k}`, sql: scoreOf(block, block.sql, weights, dialect) })
    return `b${b}_${k}`
  }
  const scores = scoresBy(model, blocks, dialect, 'x', added, steps?.scoreOf)
  const numbers = blocks.flatMap(({ kind, sql }) => (kind === 'number' ? [sql] : []))
  const row = numbers.length > 0 ? [{ name: 'x', sql: `[${numbers.join(', ')}]` }] : []
  const places = blocks.flatMap(({ kind, sql }, b) => (kind === 'category' ? [{ name: `b${b}`, sql }] : []))
  return [[...row, ...places, ...products], scores.map((sql, k) => ({ name: scoreName(k), sql }))]
}

/** What further features are made of, in every pass of a model that weighs them: nothing is kept on a server that people share. */
function baseOf(blocks: readonly FeatureBlock[], dialect: Dialect): Written[] {
  const sql = listOf(blocks, dialect)
  return [
    { name: baseName, sql },
    { name: squaresName, sql: dialect.squares(sql) },
  ]
}

/** The features of a point and a 1, as one list of doubles. */
function listOf(blocks: readonly FeatureBlock[], { number }: Dialect): string {
  const lists = blocks.map((block) => {
    if (block.kind === 'number') return `[${block.sql}]`
    if (block.kind === 'category')
      return `arrayMap(__alis_j -> toFloat64(__alis_j = toInt32(${block.sql})), range(${block.width}))`
    const { sql, means, scale } = block
    return `arrayMap((v, mean) -> toFloat64(toFloat32((v - mean) * ${number(scale)})), ${sql}, [${means.map(number)}])`
  })
  return `arrayConcat(${lists.join(', ')}, [1e0])`
}

/** Σ (u·x)² of a list x. The vectors are one literal, and x has a name: old servers take long to understand many terms. */
function sqlOf(form: QuadraticForm, x: string, { number }: Dialect): string {
  const vectors = form.map((vector) => `[${Array.from(vector, number)}]`)
  const product = 'arraySum(arrayMap((__alis_a, __alis_b) -> __alis_a * __alis_b, __alis_x, __alis_vector))'
  return `arrayMap(__alis_x -> arraySum(__alis_vector -> pow(${product}, 2), [${vectors}]), [${x}])[1]`
}

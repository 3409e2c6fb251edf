import type { Model } from '../../core/model.ts'
import type { Stream } from '../../core/randomness.ts'
import type { Dialect } from '../sql/dialect.ts'
import { type FeatureBlock, scoresOf, widthOfAll } from '../sql/features.ts'
import { formName, scoreName } from '../sql/question.ts'
import { type Named, stagedFormulas, type Written } from '../sql/select.ts'
import { uniformOf } from './dialect.ts'

/** What to compute for each point before anything is added up. */
export interface Computed {
  readonly model: Model
  readonly forms?: readonly Float64Array[] | undefined
  /** Whose uniforms to have as the column `u`. */
  readonly stream?: Stream
  readonly formulas: Named
}

/** Columns that every row has, under names that no table is likely to use. */
export const point = '__alis_point'
export const check = '__alis_check'

/** A computed value of a point, by its place among the formulas. */
export const valueAt = (k: number): string => `tupleElement(${point}, ${k + 1})`

/**
 * What follows FROM to have the formulas of every row as one tuple, and a checksum beside it.
 *
 * A query inside a query over a Distributed table would bring the rows of all shards to one server, and an alias is copied to
 * wherever it is used. So a value gets its name as the argument of a function, x → …, applied to a list of one: computed once, on the
 * shard, however often it is used.
 */
export function rowsWith(
  table: string,
  { model, forms = [], stream, formulas }: Computed,
  { blocks, hash, checksum, dialect }: { blocks: readonly FeatureBlock[]; hash: string; checksum: string; dialect: Dialect },
): string {
  const scores = scoresOf(model, blocks, dialect, (k) => blocks[k]!.sql).map((sql, k) => ({ name: scoreName(k), sql }))
  const x = forms.length > 0 ? listOf(blocks, dialect) : ''
  const quadratics = forms.map((form, k) => ({ name: formName(k), sql: quadraticOf(form, x, widthOfAll(blocks) + 1, dialect) }))
  const uniforms = stream ? [{ name: 'u', sql: uniformOf(hash, stream) }] : []
  const { stages, columns } = stagedFormulas(formulas, dialect)
  const values = `tuple(${columns.map(({ sql }) => sql).join(', ')})`
  const chain = [[...scores, ...quadratics, ...uniforms], ...stages].reduceRight(
    (inner, stage, k) => applied(stage, inner) + (k > 0 ? '[1]' : ''),
    values,
  )
  return `${table} ARRAY JOIN ${chain} AS ${point}, [${checksum}] AS ${check}`
}

const applied = (stage: readonly Written[], inner: string): string =>
  `arrayMap((${stage.map(({ name }) => name)}) -> ${inner}, ${stage.map(({ sql }) => `[${sql}]`).join(', ')})`

/** The features of a point and a 1, as one list of doubles. */
export function listOf(blocks: readonly FeatureBlock[], { number }: Dialect): string {
  const lists = blocks.map((block) => {
    if (block.kind === 'number') return `[${block.sql}]`
    if (block.kind === 'category') return `arrayMap(j -> toFloat64(j = toInt32(${block.sql})), range(${block.width}))`
    const { sql, means, scale } = block
    return `arrayMap((v, mean) -> toFloat64(toFloat32((v - mean) * ${number(scale)})), ${sql}, [${means.map(number)}])`
  })
  return `arrayConcat(${lists.join(', ')}, [1e0])`
}

/** x·Mx of a list x. */
function quadraticOf(form: Float64Array, x: string, width: number, { dot, number }: Dialect): string {
  const rows = Array.from({ length: width }, (_, i) => dot(x, Array.from(form.subarray(i * width, (i + 1) * width), number)))
  return dot(x, rows)
}

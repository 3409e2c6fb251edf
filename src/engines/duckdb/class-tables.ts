import { isLearned, type LearnedModel, type Model, predictedClassFormula } from '../../core/model.ts'
import type { Signal } from '../../core/signal.ts'
import type { CompareRequest } from '../engine.ts'
import { keptClasses } from '../kept-classes.ts'
import { selectFormulas } from '../sql/select.ts'
import { scoreColumns } from '../sql/survey-formulas.ts'
import type { WorkingDatabase } from './database.ts'
import { duckdbDialect as dialect } from './dialect.ts'

/** Where the scores of a model are while some work is done. */
type WithScores = <T>(
  request: { readonly model: Model; readonly signal?: Signal },
  work: (scores: string) => Promise<T>,
) => Promise<T>

/**
 * The classes that models give to all points, in a table for each with one narrow column of the same name, in the order of the pool: of those that
 * were compared last. Of each a pool reads the features once; the scores of the newest are there for what is drawn with it next.
 */
export function classTables(database: WorkingDatabase, withScores: WithScores) {
  const kept = keptClasses<string>((table) => {
    database.rows(`DROP TABLE IF EXISTS ${table}`).catch(() => {}) // then it goes with the database
  })
  let turn: Promise<unknown> = Promise.resolve()

  const classesOf = (model: LearnedModel, signal?: Signal): Promise<string> =>
    withScores({ model, ...(signal && { signal }) }, async (scores) => {
      const table = database.newName('classes')
      const type = model.classes.length > 256 ? 'USMALLINT' : 'UTINYINT'
      const select = selectFormulas(scores, [], { class: predictedClassFormula(scoreColumns(model)) }, dialect)
      await database.rows(`CREATE TABLE ${table} AS SELECT class::${type} AS ${table} FROM (${select})`, {
        step: 'comparing',
        signal,
      })
      return table
    })

  /** One comparison after the other: the tables of one are there until the next. */
  return <T>({ model, earlier }: CompareRequest, work: (tables: ReadonlyMap<string, string>) => Promise<T>, signal?: Signal) => {
    const mine = turn.then(async () => {
      const tables = new Map<string, string>()
      for (const each of [...earlier, model].filter(isLearned)) {
        tables.set(each.id, tables.get(each.id) ?? kept.of(each) ?? (await classesOf(each, signal)))
      }
      kept.comparedWith(tables)
      return work(tables)
    })
    turn = mine.catch(() => {})
    return mine
  }
}

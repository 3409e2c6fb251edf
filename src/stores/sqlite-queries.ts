import type { Database, Statement } from 'better-sqlite3'
import type { Compilable } from 'kysely'
import { requireInput } from '../core/errors.ts'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from './kysely.ts'
import type { Tables } from './sqlite-schema.ts'

/** Kysely as a writer of typed SQL, with no connection of its own. Why: docs/decisions/sqlite-store.md. */
export const query = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

export type Queries = ReturnType<typeof queriesOn>

/** Runs queries at once, each prepared the first time it is seen. */
export function queriesOn(sqlite: Database) {
  const prepared = new Map<string, Statement<unknown[]>>()

  function statementFor(sql: string): Statement<unknown[]> {
    const statement = prepared.get(sql) ?? sqlite.prepare<unknown[]>(sql)
    prepared.set(sql, statement)
    return statement
  }

  function prepare(compilable: Compilable) {
    const { sql, parameters } = compilable.compile()
    return { statement: statementFor(sql), parameters: wellFormed(parameters) }
  }

  return {
    all<Row>(select: Compilable<Row>): Row[] {
      const { statement, parameters } = prepare(select)
      return statement.all(...parameters) as Row[]
    },
    first<Row>(select: Compilable<Row>): Row | undefined {
      const { statement, parameters } = prepare(select)
      return statement.get(...parameters) as Row | undefined
    },
    /** A select that is written out once, for what happens all the time: later uses put their values in. */
    often<Values extends readonly unknown[], Row>(write: (...values: Values) => Compilable<Row>) {
      const slots = Array.from({ length: write.length }, () => ({}))
      const { sql, parameters } = write(...(slots as unknown as Values)).compile()
      const places = parameters.map((parameter) => slots.indexOf(parameter as object))
      const filled = (values: Values) => wellFormed(places.map((slot, k) => (slot < 0 ? parameters[k] : values[slot])))
      return { first: (...values: Values) => statementFor(sql).get(...filled(values)) as Row | undefined }
    },
  }
}

/** UTF-8 has no half characters: SQLite would keep another text than the one it was given. */
export function wellFormed(parameters: readonly unknown[]): readonly unknown[] {
  for (const value of parameters) {
    const isKept = typeof value !== 'string' || value.isWellFormed()
    requireInput(isKept, `record: text must be well-formed, got ${JSON.stringify(value)}`)
  }
  return parameters
}

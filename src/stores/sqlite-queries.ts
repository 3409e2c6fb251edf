import type { Database, Statement } from 'better-sqlite3'
import { type Compilable, DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { requireInput } from '../core/errors.ts'
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
    for (const value of parameters) {
      // UTF-8 has no half characters: SQLite would keep another text than the one it was given.
      const isKept = typeof value !== 'string' || value.isWellFormed()
      requireInput(isKept, `record: text must be well-formed, got ${JSON.stringify(value)}`)
    }
    return { statement: statementFor(sql), parameters }
  }

  return {
    add(insert: Compilable): void {
      const { statement, parameters } = prepare(insert)
      statement.run(...parameters)
    },
    all<Row>(select: Compilable<Row>): Row[] {
      const { statement, parameters } = prepare(select)
      return statement.all(...parameters) as Row[]
    },
    first<Row>(select: Compilable<Row>): Row | undefined {
      const { statement, parameters } = prepare(select)
      return statement.get(...parameters) as Row | undefined
    },
  }
}

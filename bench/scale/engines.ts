// Engines to be measured, by name: each opens a pool of number columns f0, f1, … in Parquet files.
import { DuckDBInstance } from '@duckdb/node-api'
import { dense } from '../../src/core/features.ts'
import { openDuckdbPool } from '../../src/engines/duckdb/pool.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { fastEngine } from '../../src/engines/kernels/engine.ts'
import { itemsOf } from '../../src/sources/vector-items.ts'

export interface Opened {
  readonly engine: Engine
  /** Bytes that came back from the pool so far, where it is elsewhere. */
  bytes?(): number
  close(): Promise<void>
}

export interface Subject {
  /** Files that match a pattern. */
  readonly pattern: string
  readonly features: number
  readonly rows: number
  readonly memory: number
}

export const engines: Readonly<Record<string, (subject: Subject) => Promise<Opened>>> = {
  async memory({ pattern, features, rows }) {
    const database = await DuckDBInstance.create(':memory:', { enable_external_file_cache: 'false' })
    const connection = await database.connect()
    const ids: string[] = []
    const values = new Float32Array(rows * features)
    const names = Array.from({ length: features }, (_, j) => `f${j}`)
    const result = await connection.stream(`SELECT id, ${names} FROM read_parquet('${pattern}')`)
    for await (const chunk of result) {
      const start = ids.length * features
      for (let j = 0; j < features; j++) {
        const items = itemsOf(chunk.getColumnVector(1 + j))
        for (let i = 0; i < chunk.rowCount; i++) values[start + i * features + j] = items[i]!
      }
      for (const id of chunk.getColumnValues(0)) ids.push(String(id))
    }
    connection.closeSync()
    database.closeSync()
    const engine = fastEngine({ ids, features: dense(values, features) })
    return { engine, close: () => engine.close() }
  },
  async duckdb({ pattern, features, memory }) {
    let bytes = 0
    const pool = await openDuckdbPool(
      {
        from: `read_parquet('${pattern}')`,
        id: 'id',
        line: 'file_row_number',
        blocks: Array.from({ length: features }, (_, j) => ({ kind: 'number' as const, sql: `f${j}::DOUBLE` })),
        fields: {},
      },
      { memoryLimit: memory, answered: (count) => (bytes += count) },
    )
    return { engine: pool.engine(), bytes: () => bytes, close: () => pool.close() }
  },
}

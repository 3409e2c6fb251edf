// Engines to be measured, by name: each opens a pool of number columns f0, f1, … and says how many values it was answered.
import { openDuckdbPool } from '../../src/engines/duckdb-pool.ts'
import type { Engine } from '../../src/engines/engine.ts'

export interface Opened {
  readonly engine: Engine
  /** Values that came back from the pool so far. */
  values(): number
  close(): Promise<void>
}

export interface Subject {
  /** Files that match a pattern. */
  readonly pattern: string
  readonly features: number
  readonly memory: number
}

export const engines: Readonly<Record<string, (subject: Subject) => Promise<Opened>>> = {
  async duckdb({ pattern, features, memory }) {
    let values = 0
    const pool = await openDuckdbPool(
      {
        from: `read_parquet('${pattern}')`,
        id: 'id',
        line: 'file_row_number',
        blocks: Array.from({ length: features }, (_, j) => ({ kind: 'number' as const, sql: `f${j}::DOUBLE` })),
        fields: {},
      },
      { memoryLimit: memory, answered: (count) => (values += count) },
    )
    return { engine: pool.engine(), values: () => values, close: () => pool.close() }
  },
}

// `alis-learn/node`: what needs Node. Projects on disk, files, pools larger than memory, and programs and services that answer.

export { type OpenClickHousePool, openClickHousePool } from './engines/clickhouse/engine.ts'
export type { ClickHousePool } from './engines/clickhouse/points.ts'
export { openSession, type Session, type SessionOptions } from './engines/clickhouse/session.ts'
export type { DuckdbOptions } from './engines/duckdb-database.ts'
export type { DuckdbPool } from './engines/duckdb-points.ts'
export { type OpenDuckdbPool, openDuckdbPool } from './engines/duckdb-pool.ts'
export { type CommandOracleOptions, commandOracle } from './oracles/command.ts'
export { type HttpOracleOptions, httpOracle } from './oracles/http.ts'
export { openTable } from './sources/duckdb-file.ts'
export type { ColumnRequest, Table } from './sources/table.ts'
export type { OpenOptions, Project, ProjectOptions } from './stores/project.ts'
export { createProject, openProject } from './stores/sqlite.ts'

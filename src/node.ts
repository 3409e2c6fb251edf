// `alis-learn/node`: what needs Node. Projects on disk, files, programs and services that answer, and pools worked on by kernels.
export { type FastPool, fastEngine } from './engines/fast.ts'
export { type CommandOracleOptions, commandOracle } from './oracles/command.ts'
export { type HttpOracleOptions, httpOracle } from './oracles/http.ts'
export { openTable } from './sources/duckdb-file.ts'
export type { ColumnRequest, Table } from './sources/table.ts'
export type { OpenOptions, Project, ProjectOptions } from './stores/project.ts'
export { createProject, openProject } from './stores/sqlite.ts'

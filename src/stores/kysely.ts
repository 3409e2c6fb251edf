// What is used of Kysely. The build puts all of it into this file: to load its 255 files takes ten times as long.
export { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'

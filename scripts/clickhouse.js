// Where the ClickHouse server for the tests of the cluster is, and the current ClickHouse as a library.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** `CLICKHOUSE_PATH`, or else a ClickHouse server on PATH or where Debian puts it; undefined where there is none. */
export function findClickHouse() {
  const { CLICKHOUSE_PATH, PATH = '' } = process.env
  if (CLICKHOUSE_PATH) return existsSync(CLICKHOUSE_PATH) ? CLICKHOUSE_PATH : undefined
  const folders = [...PATH.split(delimiter), '/usr/sbin', '/usr/bin']
  return folders.map((folder) => join(folder, 'clickhouse-server')).find((path) => existsSync(path))
}

export const noClickHouse =
  'The tests of the cluster need a ClickHouse server, and none was found. Install one, or say where it is by CLICKHOUSE_PATH.'

// Where the ClickHouse server for the tests of the cluster is, and the current ClickHouse as a library.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
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

/** Installs the current ClickHouse as a library, from the registry: a large one. */
export async function installLibrary() {
  const library = join('test', 'chdb', 'node_modules', 'chdb')
  const isOffered = ['linux', 'darwin'].includes(process.platform) && ['x64', 'arm64'].includes(process.arch)
  if (existsSync(library) || !isOffered) return
  const command = 'npm ci --prefix test/chdb --ignore-scripts --no-audit --no-fund --loglevel=error'
  console.error(`alis: ${command}`)
  const [code] = await once(spawn(command, { shell: true, stdio: ['ignore', 2, 2] }), 'exit')
  if (code !== 0) console.error('alis: The current ClickHouse (chdb) was not installed; its tests are left out.')
}

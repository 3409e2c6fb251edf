import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { connectTo } from '../../src/engines/clickhouse/connection.ts'

/** Whether the current ClickHouse is installed: it is large, and not for every system. */
export const hasChdb = existsSync(join(import.meta.dirname, 'node_modules', 'chdb'))

export interface ChdbServer {
  address(table: string): string
  run(sql: string): Promise<readonly (readonly unknown[])[]>
  close(): Promise<void>
  pid(): number | undefined
}

export async function startChdb(): Promise<ChdbServer> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'server.ts')], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(child.stdout), 'line')
  const { port } = JSON.parse(line)
  const host = { name: '127.0.0.1', port }
  const connection = connectTo(
    { isSecure: false, hosts: [host], user: 'default', database: '', table: '' },
    { tries: 1, timeout: 120 },
  )
  return {
    address: (table) => `clickhouse://127.0.0.1:${port}/default/${encodeURIComponent(table)}`,
    run: (sql) => connection.ask({ sql }),
    pid: () => child.pid,
    async close() {
      connection.close()
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

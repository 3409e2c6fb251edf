import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from '../command.ts'
import { alisHere } from '../in-process.ts'
import { visit } from '../server/page.ts'
import { end, start } from '../server/started.ts'
import { type Cluster, startCluster } from './cluster.ts'

const guide = readFileSync(join(root, 'docs/guides/big-pools.md'), 'utf8')
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code!)
const folder = mkdtempSync(join(tmpdir(), 'alis-guide-'))
let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(async () => {
  await cluster?.close()
  rmSync(folder, { recursive: true })
})

it('the guide to pools on ClickHouse does what it says, command by command', async () => {
  const statements = blocks('sql').filter((code) => code.startsWith('-- ClickHouse'))
  expect(statements).toHaveLength(3)
  for (const code of statements) {
    const [where, ...lines] = code.split('\n')
    const servers = where!.includes('every server') ? cluster.shards : cluster.shards.slice(0, 1)
    for (const { run } of servers) await run(lines.join(' '))
  }
  const commands = blocks('sh')
    .flatMap((code) => code.split('\n'))
    .filter((line) => line.startsWith('alis ') && /clickhouse:|-ch\.(alis|json)/.test(line))
  expect(commands).toHaveLength(8)
  for (const command of commands) {
    const words = command.replaceAll('127.0.0.1:8123', `127.0.0.1:${cluster.shards[0]!.httpPort}`).split(' ').slice(1)
    if (words[0] === 'label') {
      const { child, url } = await start(folder, words)
      expect((await (await visit(url)).round()).points).toHaveLength(10)
      expect(await end(child, 'SIGINT')).toBe(130)
      continue
    }
    const { code, stdout, stderr } = await alisHere(words, { cwd: folder })
    expect(`${command} ends with ${code}: ${stderr}`).toBe(`${command} ends with 0: `)
    expect(stdout.length).toBeGreaterThan(0)
  }
})

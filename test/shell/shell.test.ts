import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { words } from '../bad-input/stock.ts'
import { main } from '../command.ts'
import { alisHere } from '../in-process.ts'
import { files, type Line, lines, piped } from './table.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-shell-'))
beforeAll(async () => {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const learn = 'run plain.csv --label y --learner linear --start 20 --rounds 2 --seed 7 --project made.alis --quiet'
  const exported = 'export made.alis --only model,labels --out .  --force --format parquet'
  for (const line of [learn, exported])
    expect(await alisHere(words(line), { cwd: folder })).toMatchObject({ code: 0, stderr: '' })
})
afterAll(() => rmSync(folder, { recursive: true }))

function judge({ exit, stdout, stderr = '' }: Line, said: { code: number | null; stdout: string; stderr: string }): void {
  expect({ exit: said.code, stderr: said.stderr }).toEqual({ exit, stderr: stderr === '' ? '' : expect.stringMatching(stderr) })
  if (stdout) expect(said.stdout).toMatch(stdout)
}

it.each(lines)('$name: alis $command', async (line) => {
  judge(line, await alisHere(words(line.command), { cwd: folder }))
})

it.each(piped)('$name: alis $command', (line) => {
  const { command, stdin = '', to } = line
  if (to !== undefined && !existsSync(to)) return // a device of Linux
  const place = to === undefined ? 'pipe' : openSync(to, 'w')
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words(command)], {
    cwd: folder,
    input: stdin,
    stdio: ['pipe', place, 'pipe'],
    encoding: 'utf8',
  })
  if (typeof place === 'number') closeSync(place)
  judge(line, { code: status, stdout: stdout ?? '', stderr })
})

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { uniform } from '../src/core/randomness.ts'
import { jsonLines } from './command.ts'
import { alisHere } from './in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-bits-'))
afterAll(() => rmSync(folder, { recursive: true }))
const run = (...args: string[]) =>
  alisHere(['run', 'pool.csv', '--label', 'y', '--seed', '7', '--batch', '5', '--json', ...args], { cwd: folder })
const drawsIn = (stdout: string) => jsonLines(stdout).flatMap(({ draws = [] }) => draws)

beforeAll(() => {
  const columns = Array.from({ length: 48 }, (_, j) => `x${j}`) // enough numbers for features to be kept on file
  const rows = Array.from({ length: 6000 }, (_, i) => {
    const numbers = columns.map((name) => uniform(1, name, `${i}`).toFixed(4))
    return [`r${i}`, ...numbers, Number(numbers[0]) + Number(numbers[1]) > 1 ? 'yes' : 'no']
  })
  writeFileSync(join(folder, 'pool.csv'), [['id', ...columns, 'y'], ...rows].map((row) => row.join(',')).join('\n'))
})

it('a project that began with 8 bits goes on with 8, and comes to what it would have come to', async () => {
  const whole = drawsIn((await run('--bits', '8', '--rounds', '3')).stdout)
  const first = drawsIn((await run('--bits', '8', '--rounds', '1', '--project', 'p.alis')).stdout)
  expect(existsSync(join(folder, 'p.alis/pool/features.bin'))).toBe(true)
  const second = drawsIn((await run('--rounds', '2', '--project', 'p.alis')).stdout)
  expect(existsSync(join(folder, 'p.alis/pool/features-8.bin'))).toBe(true)
  expect(await run('--bits', '32', '--rounds', '3', '--project', 'p.alis')).toMatchObject({ code: 2 })
  const third = drawsIn((await run('--rounds', '3', '--project', 'p.alis')).stdout) // from bytes on file alone
  expect([...first, ...second, ...third]).toEqual(whole)
  expect(drawsIn((await run('--rounds', '3')).stdout)).not.toEqual(whole)
})

it.each([
  [['--bits', '16'], '8 or 32 is required, got "16"'],
  [['--bits', '8', '--engine', 'duckdb'], 'bits: 32 are required where the pool is worked on by duckdb, got 8'],
])('refuses %j', async (args, message) => {
  const { code, stderr, stdout } = await run(...args)
  expect(code).toBe(2)
  expect(stdout + stderr).toContain(message)
})

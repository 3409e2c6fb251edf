import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('..', import.meta.url).pathname
const examples = readdirSync(new URL('../examples/', import.meta.url)).filter((name) => name.endsWith('.ts'))

it.each(examples)('%s runs and prints something', (name) => {
  const out = execFileSync(process.execPath, [`examples/${name}`], { cwd: root, encoding: 'utf8' })
  expect(out.trim().split('\n').length).toBeGreaterThanOrEqual(3)
  expect(out).not.toMatch(/NaN|undefined/)
})

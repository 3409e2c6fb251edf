import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'alis-package-'))
afterAll(() => rmSync(folder, { recursive: true }))

const npm = (...args: string[]) => execFileSync('npm', [...args, '--loglevel=error'], { cwd: folder, encoding: 'utf8' })

it('packs, installs elsewhere, imports and runs', { timeout: 300_000 }, () => {
  const [{ filename, files }] = JSON.parse(npm('pack', root, '--json'))
  const paths = files.map(({ path }: { path: string }) => path)
  expect(paths).toContain('data/digits.csv')
  expect(paths.filter((path: string) => /\.(test|contract)\.|\/test\//.test(path))).toEqual([])

  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  npm('install', join(folder, filename), '--no-audit', '--no-fund', '--prefer-offline')
  writeFileSync(
    join(folder, 'use.js'),
    "import { boundConstant } from 'alis-learn'\nconsole.log(boundConstant(0.05).toFixed(6))\n",
  )
  expect(execFileSync(process.execPath, ['use.js'], { cwd: folder, encoding: 'utf8' })).toBe('4.642178\n')

  const digits = join(folder, 'node_modules/alis-learn/data/digits.csv')
  const out = execFileSync(
    join(folder, 'node_modules/.bin/alis'),
    ['run', digits, '--label', 'digit', '--rounds', '2', '--json'],
    { encoding: 'utf8' },
  )
  expect(JSON.parse(out.trimEnd().split('\n').at(-1)!)).toMatchObject({ type: 'result', labels: 30 })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { licences, licencesOf } from './licences.js'

const folder = mkdtempSync(join(tmpdir(), 'alis-licences-'))
afterAll(() => rmSync(folder, { recursive: true }))
const root = join(import.meta.dirname, '..')

it('every package of which anything is in a bundle stands there with its text', () => {
  const emitted: { fileName: string; source: string }[] = []
  const modules = ['react/index.js', 'react/jsx-runtime.js', '@noble/hashes/sha2.js'].map((path) =>
    join(root, 'node_modules', path),
  )
  const bundle = {
    'a.js': { type: 'chunk', modules: Object.fromEntries([`${root}/src/web/main.tsx`, ...modules].map((path) => [path, {}])) },
    'a.css': { type: 'asset' },
  }
  const generate = licences().generateBundle as unknown as (this: unknown, options: unknown, bundle: unknown) => void
  generate.call({ emitFile: (file: (typeof emitted)[0]) => emitted.push(file) }, {}, bundle)
  const [{ fileName, source }] = emitted as [(typeof emitted)[0]]
  expect(fileName).toBe('licences.txt')
  expect(source.match(/^(?:react|@noble\/hashes) [\d.]+, MIT$/gm)).toHaveLength(2)
  expect(source.match(/Permission is hereby granted/g)).toHaveLength(2)
})

it('a package without the text of a licence is refused', () => {
  writeFileSync(join(folder, 'package.json'), '{"name":"x","version":"1","license":"MIT"}')
  expect(() => licencesOf([folder])).toThrow('the text of a licence is required, got none')
})

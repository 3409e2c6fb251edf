import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { fillDirectory } from './staging.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-staging-'))
const out = join(folder, 'a', 'out')
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => rmSync(join(folder, 'a'), { recursive: true, force: true }))

const writing =
  (...names: string[]) =>
  async (into: string) => {
    for (const name of names) {
      mkdirSync(join(into, name, '..'), { recursive: true })
      writeFileSync(join(into, name), 'new')
    }
  }

it('makes the directory with everything in it, and leaves nothing beside it', async () => {
  await fillDirectory(out, { force: false }, writing('one.csv', 'deep/two.json'))
  expect(readdirSync(out, { recursive: true }).sort()).toEqual(['deep', 'deep/two.json', 'one.csv'])
  expect(readdirSync(join(folder, 'a'))).toEqual(['out'])
})

it('leaves everything as it was where writing fails', async () => {
  const failing = async (into: string) => {
    await writing('one.csv')(into)
    throw new Error('half way')
  }
  await expect(fillDirectory(out, { force: false }, failing)).rejects.toThrow('half way')
  expect(readdirSync(join(folder, 'a'))).toEqual([])
})

it('refuses a directory with files in it, and with force replaces files of the same names only', async () => {
  mkdirSync(out, { recursive: true })
  for (const name of ['one.csv', 'notes.txt']) writeFileSync(join(out, name), 'old')
  const refused = fillDirectory(out, { force: false }, writing('one.csv'))
  await expect(refused).rejects.toThrow(`${out}: a new or empty directory is required, got one with 2 files`)
  expect(readFileSync(join(out, 'one.csv'), 'utf8')).toBe('old')
  await fillDirectory(out, { force: true }, writing('one.csv'))
  const contents = ['one.csv', 'notes.txt'].map((name) => readFileSync(join(out, name), 'utf8'))
  expect(contents).toEqual(['new', 'old'])
})

it('refuses a place where nothing can be written, before anything is made', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  let isAsked = false
  const write = async () => {
    isAsked = true
  }
  await expect(fillDirectory(file, { force: true }, write)).rejects.toThrow('must be a place to write to, got "ENOTDIR')
  await expect(fillDirectory(join(file, 'in'), { force: false }, write)).rejects.toThrow('must be a place to write to, got "ENO')
  expect([isAsked, existsSync(join(file, 'in'))]).toEqual([false, false])
})

import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { requireWritable, writeWhole } from './output-file.ts'
import { fillDirectory } from './staging.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-output-'))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string) => join(folder, name)
writeFileSync(at('pool.csv'), 'read')
symlinkSync(at('pool.csv'), at('link.csv'))
symlinkSync(at('new.csv'), at('loose.csv'))
const refusing = (file: string, input: string) => () => requireWritable(at(file), '--out', { inputs: [at(input)] })

it.each([
  ['itself', 'pool.csv', 'pool.csv'],
  ['a link to it', 'link.csv', 'pool.csv'],
  ['what it is a link to', 'pool.csv', 'link.csv'],
  ['a file that its pattern matches', 'pool.csv', 'p*.csv'],
  ['a file that is read in another way', 'pool.csv', 'pool.csv#decimal=comma'],
])('output never takes the place of input: %s', (_, file, input) => {
  expect(refusing(file, input)).toThrow(/^--out: another file than .*, which is read, is required, got /)
})

it('output beside the input is fine, and pipes and devices are where they can be', () => {
  expect(refusing('other.csv', 'pool.csv')).not.toThrow()
  expect(() => requireWritable('/dev/null', '--out', { inputs: [at('pool.csv')], takesStreams: true })).not.toThrow()
  expect(() => requireWritable('/dev/null', '--out', { inputs: [] })).toThrow(
    '/dev/null: must be a file to write, got a pipe or a device',
  )
})

it('is written where a link leads, which stays a link', async () => {
  writeFileSync(at('new.csv'), 'old')
  await writeWhole(at('loose.csv'), 'new')
  expect(lstatSync(at('loose.csv')).isSymbolicLink()).toBe(true)
  expect(readFileSync(at('new.csv'), 'utf8')).toBe('new')
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
})

it('a full disk is no fault of ours, and no bad input', async () => {
  await expect(writeWhole('/dev/full', 'much')).rejects.toMatchObject({
    code: 'store-failed',
    message: expect.stringMatching(/^\/dev\/full: room on the disk is required, got "ENOSPC/),
  })
})

it('a directory that is filled keeps what was read from it', async () => {
  const write = async (into: string) => writeFileSync(join(into, 'pool.csv'), 'export')
  const filled = fillDirectory(folder, { force: true, inputs: [at('pool.csv')] }, write)
  await expect(filled).rejects.toThrow('--out: another file than')
  expect(readFileSync(at('pool.csv'), 'utf8')).toBe('read')
})

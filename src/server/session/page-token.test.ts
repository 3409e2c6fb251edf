import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { emptyDirectory } from '../../../test/server/fixture.ts'
import { pageToken } from './page-token.ts'

const fresh = 'f'.repeat(43)
const modeOf = (project: string) => statSync(join(project, 'page.token')).mode & 0o777

it('is kept where only its owner can read it, and stays the same', async () => {
  const project = emptyDirectory()
  expect(await pageToken(project, fresh)).toBe(fresh)
  expect(modeOf(project)).toBe(0o600)
  expect(await pageToken(project, 'g'.repeat(43))).toBe(fresh)
})

it.each([
  ['a token', 'k'.repeat(43), 'k'.repeat(43)],
  ['something else', 'torn', fresh],
])('is taken from others who could read %s', async (_, text, token) => {
  const project = emptyDirectory()
  const path = join(project, 'page.token')
  writeFileSync(path, text)
  chmodSync(path, 0o644)
  expect(await pageToken(project, fresh)).toBe(token)
  expect(readFileSync(path, 'utf8')).toBe(token)
  expect(modeOf(project)).toBe(0o600)
})

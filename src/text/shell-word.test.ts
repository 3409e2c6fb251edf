import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { shellWord } from './shell-word.ts'

it.each(["it's", 'a b', '$HOME', '`ls`', 'a"b', 'ä;b', '', '-x', '*'])('a shell reads %j back as it was', (text) => {
  expect(execFileSync('sh', ['-c', `printf '%s\\0' ${shellWord(text)}`], { encoding: 'utf8' })).toBe(`${text}\0`)
})

it('leaves plain words as they are', () => {
  expect(['digits.csv', '--seed=7', 'a/b-c_d'].map(shellWord)).toEqual(['digits.csv', '--seed=7', 'a/b-c_d'])
})

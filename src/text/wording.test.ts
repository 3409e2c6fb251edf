import { expect, it } from 'vitest'
import { byteSize, count, counted, fileSize, percent, revisionWords, rounded, seconds } from './wording.ts'

it('writes shares as percentages', () => {
  expect([0.031, 1, 0, 0.00049].map((x) => percent(x))).toEqual(['3.1 %', '100.0 %', '0.0 %', '0.0 %'])
  expect([percent(0.1234, 0), percent(0.1234, 2)]).toEqual(['12 %', '12.34 %'])
})

it('groups the digits of counts', () => {
  expect([0, 999, 1797, 1e6].map(count)).toEqual(['0', '999', '1,797', '1,000,000'])
})

it('counts one thing in the singular', () => {
  expect([1, 0, 1240].map((n) => counted(n, 'answer'))).toEqual(['1 answer', '0 answers', '1,240 answers'])
  expect([1, 3].map((n) => counted(n, 'answer is', 'answers are'))).toEqual(['1 answer is', '3 answers are'])
})

it('gives sizes of memory in powers of two, and of files as disks are sold', () => {
  expect([0, 512, 1024, 1.5 * 2 ** 30, 2 ** 51].map(byteSize)).toEqual(['0 bytes', '512 bytes', '1.0 KiB', '1.5 GiB', '2048 TiB'])
  expect([512, 264_712, 1_234_567, 1e9].map(fileSize)).toEqual(['512\u00a0B', '265\u00a0kB', '1.2\u00a0MB', '1.0\u00a0GB'])
})

it.each([
  [5.1e5, '510,000'],
  [1.2e3, '1,200'],
  [1797, '1,800'],
  [4.6444, '4.64'],
  [-0.012345, '-0.0123'],
  [0, '0'],
  [5.1234e13, '5.12e13'],
  [-1e-7, '-1e-7'],
  [0.86, '0.86'],
])('rounds %d to %s', (x, text) => {
  expect(rounded(x)).toBe(text)
})

it('rounds a forecast to two digits', () => {
  expect([0, 7, 243, 1691].map((n) => rounded(n, 2))).toEqual(['0', '7', '240', '1,700'])
})

it.each([
  [0, '0 ms'],
  [0.0341, '34 ms'],
  [0.9996, '1.0 s'],
  [1.94, '1.9 s'],
  [9.96, '10 s'],
  [59.4, '59 s'],
  [59.6, '1 min'],
  [75, '1 min 15 s'],
  [3599.6, '1 h'],
  [7500, '2 h 5 min'],
])('writes %d seconds as %s', (s, text) => {
  expect(seconds(s)).toBe(text)
})

it('says what becomes of an answer that is changed', () => {
  expect(revisionWords('Round 3', { isOpen: true, isAudit: false })).toBe(
    'Round 3 is still open, so this simply replaces your answer.',
  )
  expect(revisionWords('Round 2', { isOpen: false, isAudit: false })).toMatch(/^Round 2 is closed\. .* marked “revised”\.$/)
  expect(revisionWords('Audit round 2', { isOpen: false, isAudit: true })).toMatch(/^Audit round 2 is closed\. .* are void\./)
})

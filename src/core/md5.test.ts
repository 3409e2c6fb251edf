import { md5 } from '@noble/hashes/legacy.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { md5Into } from './md5.ts'

function hashOf(text: string): string {
  const hash = new Int32Array(4)
  md5Into(hash, text)
  return Buffer.from(hash.buffer).toString('hex')
}

it('gives the values of RFC 1321', () => {
  expect(hashOf('')).toBe('d41d8cd98f00b204e9800998ecf8427e')
  expect(hashOf('abc')).toBe('900150983cd24fb0d6963f7d28e17f72')
  expect(hashOf('1234567890'.repeat(8))).toBe('57edf4a22be3c955ac49da2e2107b67a')
})

const reference = (text: string) => Buffer.from(md5(utf8ToBytes(text))).toString('hex')

it('agrees with the other implementation on texts of every length, across the edges of blocks and back to short ones', () => {
  for (let length = 0; length < 300; length++) {
    for (const letter of ['a', 'é', '猫', '😀', '\ud800']) {
      const text = letter.repeat(length)
      expect(hashOf(text)).toBe(reference(text))
      expect(hashOf(`${length}`)).toBe(reference(`${length}`))
    }
  }
})

it('agrees with the other implementation on any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(hashOf(text)).toBe(reference(text))
    }),
    { numRuns: 1000 },
  )
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unpackLz4 } from './lz4.ts'

const sequence = fc.record({
  literals: fc.uint8Array({ maxLength: 40 }),
  distance: fc.integer({ min: 1, max: 70_000 }),
  length: fc.oneof(fc.integer({ min: 4, max: 30 }), fc.integer({ min: 250, max: 900 })),
})
type Sequence = typeof sequence extends fc.Arbitrary<infer T> ? T : never

const rest = (length: number): number[] =>
  length < 15 ? [] : [...new Array<number>(Math.floor((length - 15) / 255)).fill(255), (length - 15) % 255]

/** Packs sequences as the format is described, and says what they stand for. The last one has literals only. */
function pack(contents: number[], sequences: readonly Sequence[]): number[] {
  const block: number[] = []
  for (const [k, { literals, distance: wanted, length }] of sequences.entries()) {
    contents.push(...literals)
    const isLast = k === sequences.length - 1 || contents.length === 0
    const distance = Math.min(wanted, contents.length, 65_535)
    block.push(
      (Math.min(literals.length, 15) << 4) | (isLast ? 0 : Math.min(length - 4, 15)),
      ...rest(literals.length),
      ...literals,
    )
    if (isLast) break
    block.push(distance & 255, distance >> 8, ...rest(length - 4))
    for (let i = 0; i < length; i++) contents.push(contents.at(-distance)!)
  }
  return block
}

const word = (value: number) => [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24]
const magic = [0x04, 0x22, 0x4d, 0x18]

describe('an LZ4 frame', () => {
  it('gives back whatever sequences it was made of, across blocks, with and without optional fields', () => {
    const blocks = fc.array(fc.oneof(fc.array(sequence, { minLength: 1, maxLength: 8 }), fc.uint8Array({ minLength: 1 })), {
      maxLength: 4,
    })
    fc.assert(
      fc.property(blocks, fc.boolean(), fc.boolean(), (blocks, hasSize, hasChecksums) => {
        const contents: number[] = []
        const packed = blocks.flatMap((block) => {
          const isStored = block instanceof Uint8Array
          if (isStored) contents.push(...block)
          const bytes = isStored ? [...block] : pack(contents, block)
          return [...word(bytes.length | (isStored ? 0x80000000 : 0)), ...bytes, ...(hasChecksums ? [1, 2, 3, 4] : [])]
        })
        const flags = 0x40 | (hasSize ? 0x08 : 0) | (hasChecksums ? 0x10 : 0)
        const size = hasSize ? [...word(contents.length), 0, 0, 0, 0] : []
        const frame = Uint8Array.from([0, 0, ...magic, flags, 0x40, ...size, 0, ...packed, ...word(0), 9, 9, 9, 9]).subarray(2)
        expect([...unpackLz4(frame, contents.length)]).toEqual(contents)
      }),
      { seed: 4 },
    )
  })

  // "aaaaaaaaaab": one letter, five copied from the one before, and five letters more
  const block = [0x11, 0x61, 0x01, 0x00, 0x50, 0x61, 0x61, 0x61, 0x61, 0x62]
  const frame = (bytes: readonly number[]) =>
    Uint8Array.from([...magic, 0x40, 0x40, 0xc0, ...word(bytes.length), ...bytes, ...word(0)])

  it('may copy what it is just writing', () => {
    expect(Buffer.from(unpackLz4(frame(block), 11)).toString()).toBe('aaaaaaaaaab')
  })

  it.each([
    ['another magic number', Uint8Array.from([1, ...frame(block).subarray(1)]), 11],
    ['less than promised', frame(block), 12],
    ['more than promised', frame(block), 10],
    ['a copy from before the beginning', frame([0x11, 0x61, 0x02, 0x00, 0x50, 0x61, 0x61, 0x61, 0x61, 0x62]), 11],
    ['a copy from where it goes', frame([0x11, 0x61, 0x00, 0x00, 0x50, 0x61, 0x61, 0x61, 0x61, 0x62]), 11],
    ['more literals than there are', frame([0xf0, 0xff, 0x61]), 11],
    ['half of it', frame(block).subarray(0, 14), 11],
    ['its first bytes', frame(block).subarray(0, 3), 11],
  ])('is refused with %s', (_, bytes, length) => {
    expect(() => unpackLz4(bytes, length)).toThrow(RangeError)
  })
})

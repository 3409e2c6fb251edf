import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { uniform } from '../../core/randomness.ts'
import { readWhole, type WholeFile, writeWhole } from './whole-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-whole-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'file.bin')

const numbers = (count: number) => Float32Array.from({ length: count }, (_, k) => uniform(1, 'x', `${k}`))

/** Everything in it, read at once. */
const all = () =>
  readWhole<Buffer, object>(file, (found) => {
    const bytes = Buffer.alloc(found.size)
    found.read(bytes, 0)
    return { value: bytes }
  })

describe('a file of numbers', () => {
  it.each([0, 1, 16_383, 16_384, 16_385, 40_000])('of %i numbers is read as it was written, in any pieces', (count) => {
    const values = numbers(count)
    writeWhole(file, { count }, [Buffer.from('abc'), values])
    const value = Buffer.concat([Buffer.from('abc'), Buffer.from(values.buffer)])
    expect(all()).toEqual(value)
    readWhole<null, { count: number }>(file, (found) => {
      expect([found.header, found.size]).toEqual([{ count }, value.length])
      for (const [from, to] of [
        [0, 1],
        [2, value.length],
        [65_530, 65_540],
        [70_000, 140_000],
        [value.length - 1, value.length],
      ] as const) {
        if (from < 0 || to > value.length) continue
        const part = Buffer.alloc(to - from)
        found.read(part, from)
        expect(part).toEqual(value.subarray(from, to))
      }
      return { value: null }
    })
  })

  it('with a bit that is another is not read, wherever that is', () => {
    writeWhole(file, { key: 'abc', rows: 7 }, [numbers(40_000)])
    const whole = readFileSync(file)
    expect(all()).toBeDefined()
    const padding = whole.subarray(0, 4096).toString().trimEnd().length + 1
    for (let k = 0; k < 300; k++) {
      const at = Math.floor(uniform(k, 'at', 'x') * whole.length)
      const flipped = Buffer.from(whole)
      flipped[at]! ^= 1 << Math.floor(8 * uniform(k, 'bit', 'x'))
      writeFileSync(file, flipped)
      expect([k, all()]).toEqual([k, undefined])
      if (k === 0) for (let bit = 0; bit < 8 * padding; bit += 3) refused(whole, bit)
    }
    writeFileSync(file, whole)
    appendFileSync(file, 'more')
    expect(all()).toBeUndefined()
  })

  it('says so where it is read later', () => {
    writeWhole(file, {}, [numbers(40_000)])
    const open = readWhole<WholeFile<object>, object>(file, (found) => ({ value: found, keepsOpen: true }))!
    const bytes = readFileSync(file)
    bytes[4096 + 100_000]! ^= 1
    writeFileSync(file, bytes)
    open.read(Buffer.alloc(4), 0)
    expect(() => open.read(Buffer.alloc(4), 100_004)).toThrow(`${file}: the bytes that were written are required, got others`)
    open.close()
  })
})

function refused(whole: Buffer, bit: number): void {
  const flipped = Buffer.from(whole)
  flipped[bit >> 3]! ^= 1 << (bit & 7)
  writeFileSync(file, flipped)
  expect([bit, all()]).toEqual([bit, undefined])
}

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { linesOf } from './lines.ts'

const tooLong = () => new Error('too long')

async function* streamed(chunks: readonly Uint8Array[]) {
  yield* chunks
}
const read = async (chunks: readonly Uint8Array[], limit = 1000) =>
  (await Array.fromAsync(linesOf(streamed(chunks), limit, tooLong))).map((line) => Buffer.from(line).toString())

it('gives the same lines however the bytes are cut up', async () => {
  const texts = fc.array(
    fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', '')),
    { maxLength: 5 },
  )
  await fc.assert(
    fc.asyncProperty(texts, fc.array(fc.nat(50)), async (lines, cuts) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      const ends = [...cuts.filter((cut) => cut <= bytes.length).sort((a, b) => a - b), bytes.length]
      const chunks = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end))
      expect(await read(chunks)).toEqual(lines)
    }),
  )
})

it('gives a last line without an end', async () => {
  expect(await read([Buffer.from('a\nb')])).toEqual(['a', 'b'])
})

it('refuses a line above the limit, in one piece or in many', async () => {
  expect(await read([Buffer.from('12345\n')], 5)).toEqual(['12345'])
  await expect(read([Buffer.from('123456\n')], 5)).rejects.toThrow('too long')
  await expect(read([Buffer.from('123'), Buffer.from('456')], 5)).rejects.toThrow('too long')
})

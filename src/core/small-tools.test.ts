import { expect, it, vi } from 'vitest'
import { closing, orClosed } from './closing.ts'
import { kernelFor } from './declared-kernel.ts'
import { AlisError, requireInput } from './errors.ts'
import { identityOf, linesHash, linesOf } from './hash.ts'
import { scaleFromLargest } from './inclusion-scale.ts'
import { memoize } from './memoize.ts'

it('what is open is closed whatever comes of the work', async () => {
  const open = { close: vi.fn() }
  expect(await closing(Promise.resolve(open), async (own) => own === open)).toBe(true)
  await expect(closing(open, async () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(open.close).toHaveBeenCalledTimes(2)
})

it('or stays open with what is made of it', async () => {
  const open = { close: vi.fn() }
  expect(await orClosed(open, () => 7)).toBe(7)
  expect(open.close).not.toHaveBeenCalled()
  await expect(orClosed(open, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(open.close).toHaveBeenCalledTimes(1)
})

it('a value is made once for each object', () => {
  const make = vi.fn((key: { readonly n: number }) => (key.n === 0 ? undefined : key.n))
  const [known, zero] = [memoize(make), { n: 0 }]
  expect([known(zero), known(zero), known({ n: 0 }), known({ n: 2 })]).toEqual([undefined, undefined, undefined, 2])
  expect(make).toHaveBeenCalledTimes(3)
})

it('bad input is refused with a code for programs and a hint for people', () => {
  expect(() => requireInput(true, 'x')).not.toThrow()
  const failure = new AlisError('store-failed', 'store: full', 'Make room.', { cause: 'disk' })
  expect(failure).toMatchObject({
    name: 'AlisError',
    code: 'store-failed',
    message: 'store: full',
    hint: 'Make room.',
    cause: 'disk',
  })
  expect(() => requireInput(false, 'x: y', 'z')).toThrow(
    expect.objectContaining({ code: 'bad-input', message: 'x: y', hint: 'z' }),
  )
})

it('identities are SHA-256, of JSON or of lines of it', () => {
  // printf '{"a":1}' | sha256sum;  printf '"a"\n1\n' | sha256sum
  expect(identityOf({ a: 1 })).toBe('sha256:015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862')
  const hash = linesHash()
  hash.add(['a'])
  hash.add([1])
  const whole = linesHash()
  whole.add(['a', 1])
  expect(linesOf(['a', 1])).toBe('"a"\n1\n')
  expect([hash.digest(), whole.digest()]).toEqual(
    new Array(2).fill('sha256:5d5e06e867c8da8497b14e4649f65792cf92cc93c0825702088159cd37a9dd5c'),
  )
})

it('a kernel goes with the function that declares it', () => {
  const [own, other] = [() => 1, () => 1]
  expect([kernelFor({ name: 'k', computes: own }, own), kernelFor({ name: 'k', computes: own }, other)]).toEqual(['k', undefined])
  expect(kernelFor(undefined, own)).toBeUndefined()
})

it('the scale of inclusion makes capped probabilities add up to what is expected', () => {
  const largest = [10, 4, 3]
  for (const expected of [0.5, 1, 2, 2.5]) {
    const scale = scaleFromLargest(largest, 8, expected)
    const inclusion = largest.map((mass) => Math.min(1, scale * mass))
    expect(inclusion.reduce((a, b) => a + b, 0) + 8 * scale).toBeCloseTo(expected, 12)
  }
})

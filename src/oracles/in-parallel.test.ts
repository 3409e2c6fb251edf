import { expect, it } from 'vitest'
import { inParallel } from './in-parallel.ts'

async function* numbers() {
  for (let n = 0; n < 6; n++) yield n
}

it('yields results as they come', async () => {
  const parked = Promise.withResolvers<void>()
  const work = async (n: number) => {
    if (n === 0) await parked.promise
    if (n === 5) parked.resolve()
    return n
  }
  expect(await Array.fromAsync(inParallel(numbers(), { width: 2, work, failed: () => {} }))).toEqual([1, 2, 3, 4, 5, 0])
})

it('begins nothing after a failure, finishes what was under way, and throws the first', async () => {
  const begun: number[] = []
  const told: unknown[] = []
  const parked = Promise.withResolvers<void>()
  const work = async (n: number) => {
    begun.push(n)
    if (n === 1) throw new Error('first')
    await parked.promise
    if (n === 2) throw new Error('second')
    return n
  }
  const failed = (error: unknown) => {
    told.push(error)
    parked.resolve()
  }
  const results: number[] = []
  const working = async () => {
    for await (const result of inParallel(numbers(), { width: 3, work, failed })) results.push(result)
  }
  await expect(working()).rejects.toThrow('first')
  expect([begun, results]).toEqual([[0, 1, 2], [0]])
  expect(told).toEqual([new Error('first')])
})

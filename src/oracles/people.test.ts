import { expect, it } from 'vitest'
import { peopleOracle } from './people.ts'

it('waits until people are done, and passes on what they said', async () => {
  const asked: (readonly string[])[] = []
  const oracle = peopleOracle(async (ids) => {
    asked.push(ids)
    return ids.map((id) => ({ id, label: id === 'b' ? null : 'yes' }))
  })
  expect(await Array.fromAsync(oracle.label(['a', 'b']))).toEqual([
    { id: 'a', label: 'yes' },
    { id: 'b', label: null },
  ])
  expect(await Array.fromAsync(oracle.label([]))).toEqual([])
  expect(asked).toEqual([['a', 'b']]) // where there is nothing to ask, no question is put
})

it('ends where people stop', async () => {
  const oracle = peopleOracle(async ([first]) => [{ id: first!, label: 'no' }])
  expect(await Array.fromAsync(oracle.label(['a', 'b', 'c']))).toEqual([{ id: 'a', label: 'no' }])
})

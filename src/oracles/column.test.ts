import { expect, it } from 'vitest'
import type { Label } from '../core/record.ts'
import { columnOracle } from './column.ts'
import { classes, describeOracle, failureOf } from './oracle.contract.ts'

describeOracle('column', (knowledge) => columnOracle(knowledge as ReadonlyMap<string, Label>, classes))

it('names the point that has no answer', async () => {
  const { error } = await failureOf(columnOracle(new Map()).label(['a "b"']))
  expect(error.message).toBe('column: an answer for "a \\"b\\"" is required, got none')
})

it('takes any label where no classes are given', async () => {
  expect(await Array.fromAsync(columnOracle(new Map([['a', 'anything']])).label(['a']))).toEqual([{ id: 'a', label: 'anything' }])
})

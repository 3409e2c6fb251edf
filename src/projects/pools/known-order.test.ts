import { mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { canonicalOrder } from '../../core/canonical-order.ts'
import { keepOrder, readOrder } from './known-order.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-order-'))
afterAll(() => rmSync(folder, { recursive: true }))

const found = canonicalOrder(Array.from({ length: 100 }, (_, i) => `p${i}`))

it('an order is read back to the last bit, under its key and no other', () => {
  keepOrder(folder, 'this file', found, 1)
  expect(readOrder(folder, 'this file')).toEqual(found)
  expect(readOrder(folder, 'another file')).toBeUndefined()
})

it('one that is cut short is none, and of few rows none is written down', () => {
  keepOrder(folder, 'this file', found, 1)
  truncateSync(join(folder, 'order.bin'), 5000)
  expect(readOrder(folder, 'this file')).toBeUndefined()
  const other = mkdtempSync(join(folder, 'few'))
  keepOrder(other, 'this file', found)
  expect(readOrder(other, 'this file')).toBeUndefined()
})

import { expect, it } from 'vitest'
import { closing } from '../../core/closing.ts'

/** Something that knows whether it was closed. */
function open() {
  const handle = {
    isClosed: false,
    async close() {
      handle.isClosed = true
    },
  }
  return handle
}

it('hands on what came of the work, once the handle is closed', async () => {
  const handle = open()
  expect(await closing(Promise.resolve(handle), async ({ isClosed }) => (isClosed ? 'late' : 'done'))).toBe('done')
  expect(handle.isClosed).toBe(true)
})

it('closes also where the work fails', async () => {
  const handle = open()
  await expect(closing(Promise.resolve(handle), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(handle.isClosed).toBe(true)
})

import { MessageChannel } from 'node:worker_threads'
import { afterEach, expect, it } from 'vitest'
import { AlisError } from './errors.ts'
import { connect } from './thread-calls.ts'

const opened: MessageChannel[] = []
afterEach(() => {
  for (const { port1, port2 } of opened.splice(0)) for (const port of [port1, port2]) port.close()
})

function joined<Left extends object, Right extends object>(left: Left, right: Right) {
  const channel = new MessageChannel()
  opened.push(channel)
  return { toRight: connect<Right>(channel.port1, left), toLeft: connect<Left>(channel.port2, right) }
}

it('calls go both ways, also while one is waited for', async () => {
  const left = { double: (n: number) => 2 * n }
  const right = { quadruple: async (n: number): Promise<number> => 2 * (await toLeft.remote.double(n)) }
  const { toRight, toLeft } = joined(left, right)
  expect(await Promise.all([1, 2, 3].map((n) => toRight.remote.quadruple(n)))).toEqual([4, 8, 12])
})

it('errors arrive as what they were', async () => {
  const right = {
    refuse() {
      throw new AlisError('bad-input', 'x: must be y, got z', 'Do w.')
    },
    break() {
      throw new TypeError('oops')
    },
  }
  const { toRight } = joined({}, right)
  const refused = await toRight.remote.refuse().catch((error) => error)
  expect(refused).toBeInstanceOf(AlisError)
  expect(refused).toMatchObject({ code: 'bad-input', message: 'x: must be y, got z', hint: 'Do w.' })
  const broken = await toRight.remote.break().catch((error) => error)
  expect(broken).not.toBeInstanceOf(AlisError)
  expect(broken.stack).toContain('thread-calls.test.ts')
})

it('calls fail, pending and later ones, when the other thread is gone', async () => {
  const { toRight } = joined({}, { wait: () => new Promise<void>(() => {}) })
  const waiting = toRight.remote.wait()
  toRight.disconnect(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(toRight.remote.wait()).rejects.toThrow('gone')
})

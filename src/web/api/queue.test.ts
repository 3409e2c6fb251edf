import { describe, expect, it } from 'vitest'
import { Failure } from './client.ts'
import { createQueue, type Entry } from './queue.ts'

const saved = { answered: 1, of: 40, isClosed: false }
const answer = (id: string, label: string | null = '7'): Entry => ({ round: 2, id, label })

/** Storage and a server that answers when told to, as the browser's would. */
function setUp(stored: readonly Entry[] = []) {
  const kept = new Map<string, string>(stored.length > 0 ? [['q', JSON.stringify(stored)]] : [])
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  }
  const sent: Entry[] = []
  const pauses: number[] = []
  const acknowledged: Entry[] = []
  const refused: string[] = []
  const waiting: { resolve: () => void; reject: (failure: Failure) => void }[] = []
  const queue = createQueue({
    storage,
    name: 'q',
    send(entry) {
      sent.push(entry)
      return new Promise((resolve, reject) => waiting.push({ resolve: () => resolve(saved), reject }))
    },
    pause: async (milliseconds) => void pauses.push(milliseconds),
    onSaved: (entry) => acknowledged.push(entry),
    onRefused: (entry, failure) => refused.push(`${entry.id} ${failure.code}`),
  })
  const settled = async (act: () => void) => {
    act()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const accept = () => settled(() => waiting.shift()!.resolve())
  const fail = (status: number, code = 'x') => settled(() => waiting.shift()!.reject(new Failure(status, code, 'no')))
  const onDisk = (): Entry[] => JSON.parse(kept.get('q') ?? '[]')
  return { queue, sent, pauses, acknowledged, refused, accept, fail, onDisk }
}

describe('the answer queue', () => {
  it('sends one at a time, in the order given', async () => {
    const { queue, sent, accept, acknowledged } = setUp()
    queue.add(answer('a'))
    queue.add(answer('b'))
    expect(sent.map(({ id }) => id)).toEqual(['a'])
    await accept()
    expect(sent.map(({ id }) => id)).toEqual(['a', 'b'])
    await accept()
    expect(acknowledged.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(queue.entries).toEqual([])
  })

  it('keeps what is not acknowledged on disk, and sends it after a reload', async () => {
    const before = setUp()
    before.queue.add(answer('a'))
    before.queue.add(answer('b', null))
    expect(before.onDisk()).toEqual([answer('a'), answer('b', null)])

    const after = setUp(before.onDisk())
    expect(after.sent).toEqual([answer('a')])
    await after.accept()
    await after.accept()
    expect(after.sent).toEqual([answer('a'), answer('b', null)])
    expect(after.onDisk()).toEqual([])
  })

  it('tries again with ever longer pauses while the server is away, and loses nothing', async () => {
    const { queue, sent, pauses, accept, fail } = setUp()
    queue.add(answer('a'))
    for (const status of [0, 503, 429, 401, 0, 0, 0]) await fail(status)
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 15000, 15000])
    await accept()
    expect(sent.every(({ id }) => id === 'a')).toBe(true)
    expect(queue.entries).toEqual([])
  })

  it('reports what the server refuses for good, and goes on with the rest', async () => {
    const { queue, sent, refused, fail, pauses } = setUp()
    queue.add(answer('a'))
    queue.add(answer('b'))
    await fail(409, 'round-closed')
    expect(refused).toEqual(['a round-closed'])
    expect(pauses).toEqual([])
    expect(sent.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('drops an answer that is undone before it was sent', () => {
    const { queue } = setUp()
    queue.add(answer('a'))
    queue.add(answer('b'))
    queue.undo(2, 'b')
    expect(queue.entries).toEqual([answer('a')])
  })

  it('takes back an answer that the server has or may have', async () => {
    const { queue, accept, fail, sent } = setUp()
    queue.add(answer('a'))
    await fail(0) // it may have arrived, and only the reply was lost
    queue.undo(2, 'a')
    expect(queue.entries).toEqual([answer('a'), { round: 2, id: 'a' }])
    await accept()
    await accept()
    queue.undo(2, 'a')
    expect(sent.at(-1)).toEqual({ round: 2, id: 'a' })
  })

  it('undoes the newest of two answers to one point', () => {
    const { queue } = setUp()
    queue.add(answer('x'))
    queue.add(answer('a', '1'))
    queue.add(answer('a', '2'))
    queue.undo(2, 'a')
    expect(queue.entries).toEqual([answer('x'), answer('a', '1')])
  })

  it('adopts what another page left, before its own but after what is on its way', async () => {
    const { queue, sent, accept } = setUp()
    queue.add(answer('a'))
    queue.add(answer('c'))
    queue.adopt([answer('b')])
    for (let i = 0; i < 3; i++) await accept()
    expect(sent.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  })

  it('starts from nothing where storage holds nonsense', () => {
    const storage = { getItem: () => '{"not": "a list"', setItem() {}, removeItem() {} }
    const queue = createQueue({ storage, name: 'q', send: async () => saved, pause: async () => {} })
    expect(queue.entries).toEqual([])
  })
})

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Event } from '../../protocol/events.ts'
import { broadcast, bytesOf } from './broadcast.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const claim = (page: string): Event => ({ type: 'claim', round: 0, page, ids: ['a'] })
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

it('sends what happens in a moment as one piece, the same to every page', () => {
  const { send, listen } = broadcast(() => {})
  const heard: Uint8Array[] = []
  listen('one', (bytes) => heard.push(bytes))
  listen('two', (bytes) => heard.push(bytes))
  send(claim('one'))
  send(claim('two'))
  vi.advanceTimersByTime(0)
  expect(heard).toHaveLength(2)
  expect(heard[0]).toBe(heard[1])
  expect(text(heard[0]!)).toBe(text(bytesOf(claim('one'))) + text(bytesOf(claim('two'))))
  send(claim('three'))
  vi.advanceTimersByTime(20)
  expect(heard).toHaveLength(2) // not before 30 ms have passed
  vi.advanceTimersByTime(10)
  expect(heard).toHaveLength(4)
  expect(text(heard[3]!)).toBe('data: {"type":"claim","round":0,"page":"three","ids":["a"]}\n\n')
})

it('a page has left when none of its listeners is there any more', () => {
  const left: string[] = []
  const { listen, isListening } = broadcast((page) => left.push(page))
  const [first, second] = [listen('one', () => {}), listen('one', () => {})]
  first()
  expect([isListening('one'), left]).toEqual([true, []])
  second()
  second()
  expect([isListening('one'), left]).toEqual([false, ['one']])
})

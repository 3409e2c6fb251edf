import { expect, it } from 'vitest'
import { observable } from './observable.ts'

it('tells its watchers of every change, and no longer those that have stopped', () => {
  const value = observable(1)
  const seen: string[] = []
  const stop = value.watch(() => seen.push(`first ${value.now()}`))
  value.watch(() => seen.push(`second ${value.now()}`))
  value.set(2)
  stop()
  value.set(3)
  expect(seen).toEqual(['first 2', 'second 2', 'second 3'])
})

it('can change without telling', () => {
  const value = observable('a')
  let told = 0
  value.watch(() => told++)
  value.setSilently('b')
  expect([value.now(), told]).toEqual(['b', 0])
})

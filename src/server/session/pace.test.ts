import { expect, it } from 'vitest'
import { paceKeeper } from './pace.ts'

const every = (seconds: number, count: number, from = 0) => Array.from({ length: count }, (_, k) => from + 1000 * seconds * k)

it('is what such data usually takes, until people have shown it', () => {
  expect(paceKeeper().seconds('text')).toBe(10)
  expect(paceKeeper(every(3, 20)).seconds('bitmap')).toBe(5) // nineteen pauses
  expect(paceKeeper(every(3, 21)).seconds('bitmap')).toBe(3)
})

it('is the median, which a night does not disturb, of the newest answers', () => {
  const night = 8 * 3_600_000
  expect(paceKeeper([...every(4, 20), ...every(4, 20, night)]).seconds('text')).toBe(4)
  expect(paceKeeper([...every(20, 300), ...every(2, 300, night)]).seconds('text')).toBe(2)
})

it('takes no notice of answers that came together', () => {
  const pace = paceKeeper(every(0.005, 500))
  expect(pace.seconds('row')).toBe(10)
  for (const time of every(6, 21, 1e6)) pace.heard(time)
  expect(pace.seconds('row')).toBe(6)
})

import { expect, it } from 'vitest'
import type { Look } from '../../protocol/now.ts'
import { bandLayout, nearest } from './band-layout.ts'

const lookAt = (answers: number, high: number): Look => ({
  model: 'sha256:m',
  after: answers / 10,
  answers,
  counted: answers,
  value: high / 3,
  low: 0,
  high,
  level: 0.95,
  points: 1000,
  isRevised: false,
})
const size = { width: 600, height: 300 }

it('ranges are drawn from 100 answers on, estimates before', () => {
  const looks = [lookAt(50, 1), lookAt(100, 0.6), lookAt(150, 0.4)]
  const { ranged, x, edges } = bandLayout(looks, size, false)
  expect(ranged.map(({ answers }) => answers)).toEqual([100, 150])
  expect(x(0)).toBe(edges.left)
  expect(x(150)).toBeLessThan(edges.right)
})

it('the scale is that of the newest range, and the first may reach out of it', () => {
  expect(bandLayout([lookAt(100, 1)], size, false).scale.high).toBe(1)
  expect(bandLayout([lookAt(100, 1), lookAt(1000, 0.06)], size, false).scale.high).toBe(0.25)
})

it('the budget is shown where it is not far', () => {
  const end = (budget: number) => bandLayout([lookAt(300, 0.2)], size, false, budget).ticks.at(-1)!
  expect(end(400)).toBe(400)
  expect(end(100_000)).toBeLessThanOrEqual(600)
})

it('what is nearest to a place is read', () => {
  const looks = [lookAt(100, 1), lookAt(200, 0.5), lookAt(300, 0.3)]
  const { x } = bandLayout(looks, size, false)
  expect(nearest(looks, x(210), x)).toBe(1)
  expect(nearest(looks, 0, x)).toBe(0)
  expect(nearest(looks, 5000, x)).toBe(2)
})

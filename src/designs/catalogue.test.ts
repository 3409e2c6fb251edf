import { expect, it } from 'vitest'
import type { PoolDraw } from '../core/draw.ts'
import { bernoulli } from './bernoulli.ts'
import { isKnownDesign, requireDesign, requireDraws } from './catalogue.ts'
import type { Design } from './design.ts'
import { multinomial } from './multinomial.ts'
import { successive } from './successive.ts'
import { top } from './top.ts'

const own: Design = { name: 'own', draw: () => [] }
const drawing = () => []
const said = (design: unknown) => () => requireDesign(design as Design)

it.each([successive, bernoulli, multinomial, top])('knows $name by its name', (design) => {
  expect(isKnownDesign(design.name)).toBe(true)
  expect(said(design)).not.toThrow()
})

it('lets people bring their own, under a name of its own', () => {
  expect(isKnownDesign('own')).toBe(false)
  expect(said(own)).not.toThrow()
  expect(said({ ...own, name: 'top' })).toThrow("design: a name of its own is required, got top, which is another's")
})

it.each([
  ['no way to draw', { name: 'own' }, 'got less'],
  ['a blank name', { ...own, name: ' ' }, 'got less'],
  ['nothing', null, 'got less'],
  ['a function', Object.assign(drawing, { draw: own.draw }), 'got a function'],
])('refuses %s', (_, design, message) => {
  expect(said(design)).toThrow(`design: a name and how to draw are required, ${message}`)
})

const drawn = (id: string, changes: object = {}) => ({ id, order: 1, probability: 1, mass: 1, ...changes }) as PoolDraw
const whole = [drawn('a'), drawn('b', { order: 2, probability: 0.1 })]

it.each([
  [
    'a point twice',
    [drawn('a'), drawn('a', { order: 2 })],
    'design own: points of the pool, none twice, are required, got others',
  ],
  ['a point of no pool', [drawn(undefined!)], 'design own: points of the pool'],
  ['no probability', [drawn('a', { probability: 0 })], 'a probability in (0, 1] is required, got 0 for "a"'],
  ['more than certainty', [drawn('a', { probability: 1.1 })], 'got 1.1 for "a"'],
  ['no mass', [drawn('a', { mass: 0 })], 'a mass above 0, and draws numbered from 1, are required, got 0 at 1'],
  ['another order', [drawn('a', { order: 0 })], 'got 1 at 0'],
])('refuses draws with %s of a design of one’s own, and of no other', (_, draws, message) => {
  expect(() => requireDraws(own, draws)).toThrow(message)
  expect(() => requireDraws(successive, draws)).not.toThrow()
  expect(() => requireDraws(own, whole)).not.toThrow()
})

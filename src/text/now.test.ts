import { expect, it } from 'vitest'
import { isTooEarly, nowWords, surelyMeans } from './now.ts'

const now = { value: 0.0613, low: 0.0249, high: 0.1361, answers: 132, points: 4068 }

it('says how good a model is, with limits rounded outward', () => {
  expect(nowWords(now)).toBe('wrong on about 6 % of the 4,068 points nobody has answered yet, surely between 2 % and 14 %')
  expect(nowWords({ ...now, low: 0.0461, high: 0.0749, points: 1 })).toBe(
    'wrong on about 6.1 % of the 1 point nobody has answered yet, surely between 4.6 % and 7.5 %',
  )
})

it('guarantees nothing below a hundred answers', () => {
  const early = { ...now, answers: 99, low: 0, high: 0.9 }
  expect([isTooEarly(early), isTooEarly(now)]).toEqual([true, false])
  expect(nowWords(early)).toBe(
    'wrong on about 6 % of the 4,068 points nobody has answered yet; too early for a guarantee, which takes 100 answers',
  )
})

it('says what "surely" means at a level', () => {
  expect(surelyMeans(0.95)).toBe('missed at most 5 times in 100, however often you look')
  expect(surelyMeans(0.99)).toContain('at most 1 time in 100')
  expect(surelyMeans(0.9)).toContain('at most 10 times in 100')
})

import { describe, expect, it } from 'vitest'
import { metricLabel } from '../metrics/metric-labels.ts'
import type { Frame } from '../questions/frame.ts'
import { type AuditedWishes, auditQuestions, readingOf, requireAudited } from './audit-wishes.ts'

const judged = (...classes: string[]): Frame => ({ classes, models: ['verdict'], slices: [] })
const ask = (options: Partial<AuditedWishes>, frame: Frame) => auditQuestions({ level: 0.95, ...options }, frame).map(metricLabel)

describe('a judge', () => {
  it.each([
    ['fail', 'pass'],
    ['No', 'Yes'],
    ['0', '1'],
    ['bad', 'GOOD', 'unsure'],
  ])('finds the verdict of those that pass among %s, %s', (...classes) => {
    expect(ask({ judge: 'verdict' }, judged(...classes))).toEqual([
      `prevalence of ${classes[1]}`,
      `TPR of ${classes[1]}`,
      `TNR of ${classes[1]}`,
      'kappa',
    ])
  })

  it('is told it where names do not say', () => {
    expect(ask({ judge: 'verdict', positive: 'b' }, judged('a', 'b'))[0]).toBe('prevalence of b')
    expect(() => ask({ judge: 'verdict' }, judged('a', 'b'))).toThrow(
      'positive: the verdict of those that pass is required, got none among a, b',
    )
    expect(() => ask({ judge: 'verdict' }, judged('pass', 'yes'))).toThrow('got pass and yes among pass, yes')
    expect(() => ask({ judge: 'verdict', positive: 'c' }, judged('a', 'b'))).toThrow('positive: one of a, b is required, got c')
  })

  it('is read as a prediction', () => {
    expect(readingOf({ level: 0.95, judge: 'verdict', truth: 'person' })).toEqual({ prediction: 'verdict', truth: 'person' })
  })
})

it('asks for the mean of grades, for a difference, or for the error', () => {
  expect(ask({ score: 's', range: [1, 5] }, { classes: [], models: [], slices: [], range: [1, 5] })).toEqual(['mean grade'])
  expect(ask({ prediction: 'a', against: 'b' }, judged('x', 'y'))).toEqual(['error minus that of b'])
  expect(ask({ prediction: 'a' }, judged('x', 'y'))).toEqual(['error'])
  expect(ask({ models: ['a', 'b'] }, judged('x', 'y'))).toEqual([])
})

it.each<[Partial<AuditedWishes>, string]>([
  [{ score: 's' }, '--range: what grades can be is required with --score, got nothing'],
  [{ range: [1, 5] }, '--range: needs --score, got none'],
  [{ within: 0.01 }, '--within: needs --models, got none'],
  [{ models: ['a'] }, '--models: two columns or more are required, got 1'],
])('refuses %j', (options, message) => expect(() => requireAudited({ level: 0.95, ...options })).toThrow(message))

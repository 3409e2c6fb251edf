import { expect, it } from 'vitest'
import { strategyNames } from '../strategies/catalogue.ts'
import { learnerSettings } from './learner-of.ts'

it('chooses among learners for the default strategy, and keeps to the plain one for all others', () => {
  for (const strategy of strategyNames)
    expect(learnerSettings({ strategy }).learner).toBe(strategy === 'alis' ? 'auto' : 'linear')
  expect(learnerSettings({ strategy: 'alis' }).steps).toMatchObject({ landmarks: 256, cuts: 0 })
  expect(learnerSettings({ strategy: 'paper' })).toEqual({ learner: 'linear' })
})

it('does what it is told', () => {
  expect(learnerSettings({ strategy: 'alis', learner: 'linear' })).toEqual({ learner: 'linear' })
  expect(learnerSettings({ strategy: 'paper', learner: 'trees' })).toEqual({ learner: 'trees' })
})

it('has none where scores come from elsewhere', () => {
  for (const from of [{ scores: ['p'] }, { elsewhere: true }]) {
    expect(learnerSettings({ strategy: 'alis', ...from })).toEqual({})
    expect(() => learnerSettings({ strategy: 'alis', learner: 'linear', ...from })).toThrow(
      '--learner: none is possible where scores come from elsewhere, got linear',
    )
  }
})

import { expect, it } from 'vitest'
import { question } from '../questions/spec.ts'
import { goalOf, requireReachable, requireTolerance } from './goals.ts'

const usual = { level: 0.95, batch: 50 }

it('is one percentage point where nothing is said, or a hundredth of the grades', () => {
  expect(goalOf(usual)).toEqual({ tolerance: 0.01 })
  expect(goalOf(usual, [1, 5])).toEqual({ tolerance: 0.04 })
  expect(goalOf({ ...usual, budget: 100 })).toEqual({ budget: 100 })
  expect(goalOf({ ...usual, budget: 100, tolerance: 0.1 })).toEqual({ tolerance: 0.1, budget: 100 })
})

it('takes any tolerance that a share can have', () => {
  for (const tolerance of [1e-6, 0.5, 0.999]) requireTolerance({ ...usual, tolerance })
  expect(() => requireTolerance({ ...usual, tolerance: 1 })).toThrow('--tolerance: a number in (0, 1) is required, got 1')
})

it('is a ceiling only of what can have one, within reach', () => {
  requireReachable({ below: 0.1 }, [question('error'), question('prevalence', { positive: 'a' })])
  requireReachable({ below: 0 }, [question('difference', { against: 'b' })])
  requireReachable({ below: -0.1 }, [question('error', { against: 'b' })])
  expect(() => requireReachable({ below: 0.1 }, [question('error'), question('kappa')])).toThrow(
    '--below: error, prevalence or a difference is required, got kappa',
  )
  expect(() => requireReachable({ below: -0.1 }, [question('error')])).toThrow(
    '--below: a number in (0, 1) is required, got -0.1',
  )
})

import { expect, it } from 'vitest'
import { randomPoints, testFrame, testPool } from '../../test/questions/test-pool.ts'
import { forecastsFor } from './audit-forecast.ts'
import { strataOf } from './frame.ts'
import { question } from './spec.ts'

it('forecasts how many answers all questions take to be narrow, where that can be said', async () => {
  const strata = strataOf(
    testFrame,
    await testPool(randomPoints(1500, 3, 0.2))
      .subject()
      .pool.counts(),
  )
  const [error, prevalence] = [question('error'), question('prevalence', { positive: 'yes' })]
  const needed = (...questions: (typeof error)[]) => forecastsFor(strata, questions, [0.1, 0.03])
  const [ofError, ofBoth] = [needed(error), needed(error, prevalence)]
  expect(ofError.map(({ tolerance }) => tolerance)).toEqual([0.1, 0.03])
  expect(ofError[1]!.answers).toBeGreaterThan(2 * ofError[0]!.answers)
  expect(ofError[1]!.answers).toBeLessThan(1500)
  for (const [k, { answers }] of ofBoth.entries())
    expect(answers).toBe(Math.max(ofError[k]!.answers, needed(prevalence)[k]!.answers))
  expect(needed(question('macro-f1'), error)).toEqual(ofError) // of a mean over classes nothing is said
  expect(needed(question('macro-f1'))).toEqual([])
})

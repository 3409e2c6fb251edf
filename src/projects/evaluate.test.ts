import { expect, it } from 'vitest'
import { dense } from '../core/features.ts'
import { linearModel } from '../core/model.ts'
import { memoryEngine } from '../engines/memory.ts'
import { logistic } from '../losses/logistic.ts'
import { evaluate } from './evaluate.ts'

it('counts wrong predictions and log loss where a label is known', async () => {
  const classes = ['no', 'yes']
  const model = linearModel({ loss: 'logistic', classes, weights: [[1]], intercepts: [0] })
  const engine = memoryEngine({ ids: ['a', 'b', 'c', 'd'], features: dense(Float64Array.of(2, -1, 3, 0.5), 1) })
  const { error, logLoss } = await evaluate(model, logistic, engine, ['yes', 'yes', null, 'no'])
  expect(error).toBeCloseTo(2 / 3, 12)
  const losses = [-2, 1, 0.5].map((margin) => Math.log1p(Math.exp(margin)))
  expect(logLoss).toBeCloseTo(losses.reduce((a, b) => a + b) / 3, 12)
})

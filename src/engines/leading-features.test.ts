import { describe, expect, it } from 'vitest'
import { dense } from '../core/features.ts'
import { linearModel } from '../core/model.ts'
import { formAt } from '../core/quadratic-form.ts'
import { uniform } from '../core/randomness.ts'
import { successive } from '../designs/successive.ts'
import { logistic } from '../losses/logistic.ts'
import { type Ingredient, pure } from '../masses/mass.ts'
import { fastEngine } from './kernels/engine.ts'
import { memoryEngine } from './memory.ts'
import { requireBase } from './sql/features.ts'

// Forms of the first features alone: boundaries are looked at in the columns, not in what was made of them.

const points = 5000
const columns = 9
const leading = 3
const values = Float32Array.from({ length: points * columns }, (_, k) => 2 * uniform(1, 'value', `${k}`) - 1)
const ids = Array.from({ length: points }, (_, row) => `p${row}`)
const features = dense(values, columns)
const weights = [Array.from({ length: columns }, (_, j) => Math.sin(j + 1))]
const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights, intercepts: [0.2] })
const xOf = (row: number) => Float64Array.from([...values.subarray(row * columns, row * columns + leading), 1])

describe.each([
  ['memory', () => memoryEngine({ ids, features })],
  ['kernels', () => fastEngine({ ids, features })],
] as const)('%s', (_, open) => {
  it('has the quadratic forms of the first features in the masses it draws by', async () => {
    const engine = open()
    const form = [1, 2].map((shift) => Float64Array.from({ length: leading + 1 }, (_, j) => Math.sin(shift + j)))
    const own: Ingredient = { name: 'form', value: ({ forms }) => forms[0]!, express: ({ forms }) => forms[0]! }
    const request = { model, loss: logistic, mass: pure(own), controls: [], forms: [form] }
    const { draws } = await engine.draw({ ...request, design: successive, size: 20, stream: { seed: 1, name: 'x' } })
    const masses = draws.map(({ id, mass }) => mass / formAt(form, xOf(ids.indexOf(id))))
    expect(draws).toHaveLength(20)
    for (const ratio of masses) expect(ratio / masses[0]!).toBeCloseTo(1, 9)
    await engine.close()
  })
})

it('is refused of other features than those of the columns in a database', () => {
  expect(() => requireBase(3, 9)).toThrow('engine: forms of the 9 features of the columns are required, got 3')
})

import { describe, expect, it } from 'vitest'
import { f1OfClasses, type MacroRun, meanInTruth, runMacro } from '../../bench/questions/macro-run.ts'
import { type MadeModels, makeModels } from '../../bench/questions/simulated-models.ts'
import { judged } from './misses.ts'
import { firstSeed } from './seeds.ts'

const classes = 3
const size = 300

/** Whether an interval for macro-F1 from 150 draws ever leaves out the truth. */
function isMissed(model: MadeModels, seed: number, options: Partial<MacroRun>): boolean {
  const parts = f1OfClasses(classes)
  const kinds = model.predicted.map(([guess]) => guess!)
  const truth = meanInTruth(parts, kinds, model.truths)
  const common = { model, parts, seed, linearised: false, linearisedAt: 40, batch: 10, draws: 150, grid: 60 }
  const path = runMacro({ ...common, plan: { kind: 'budget', answers: 150 }, ...options })
  return path.some(({ low, high }) => truth < low! - 1e-12 || truth > high! + 1e-12)
}

const calibrated = (seed: number) => makeModels({ seed, size, accuracies: [0.7], classes })

/** Sure of itself exactly where it is wrong. */
function misled(seed: number): MadeModels {
  const model = calibrated(seed)
  const probabilities = model.predicted.map(([guess], i) => {
    const said = guess === model.truths[i] ? 0.6 : 0.99
    return Float64Array.from({ length: classes }, (_, c) => (c === guess ? said : (1 - said) / (classes - 1)))
  })
  return { ...model, probabilities }
}

describe('an interval for macro-F1', () => {
  it.each([
    ['from the limits of each class', false],
    ['linearised', true],
  ] as const)('is right at all times, %s', async (_, linearised) => {
    const seeds = (k: number) => firstSeed + k
    expect(await judged((k) => isMissed(calibrated(seeds(k)), seeds(k), { linearised }))).toBe('as promised')
    expect(await judged((k) => isMissed(misled(seeds(k)), seeds(k), { linearised }))).toBe('as promised')
  })

  it('is wrong far too often where the weights are forgotten', async () => {
    const told = () => 1
    const seeds = (k: number) => firstSeed + k
    expect(await judged((k) => isMissed(misled(seeds(k)), seeds(k), { linearised: true, told }))).toBe('misses too often')
  })
})

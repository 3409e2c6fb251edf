import { expect, it } from 'vitest'
import { emptyBelief } from '../../core/belief.ts'
import { dense } from '../../core/features.ts'
import { linearModel } from '../../core/model.ts'
import { hashIds, uniform } from '../../core/randomness.ts'
import { compensatedSum } from '../../core/sums.ts'
import { logistic } from '../../losses/logistic.ts'
import { strategies } from '../../strategies/catalogue.ts'
import { briefOf, censusOf } from './brief.ts'
import { cellsFor } from './cells.ts'
import { kernelBuild } from './kernels.ts'
import { lookAt } from './look.ts'
import { byteSlabs, floatSlabs } from './slabs.ts'
import { stationsOn } from './stations.ts'

const size = 20_000
const columns = 7
const features = dense(
  Float32Array.from({ length: size * columns }, (_, k) => 4 * uniform(5, 'x', `${k}`) - 2),
  columns,
)
const hashes = hashIds(Array.from({ length: size }, (_, row) => `${row}`))
const loaded = {
  floats: { slabs: floatSlabs(features, hashes)! },
  bytes: byteSlabs(features, hashes),
}

it.each([
  ['floats', 1],
  ['floats', 1e-3],
  ['floats', 1e-6], // ranks hang on the digits of scores that nearly vanish
  ['floats', 12],
  ['bytes', 1],
  ['bytes', 1e-3],
] as const)('the total is that of the masses that points are drawn by: %s, scores of about %d', async (form, scale) => {
  const model = linearModel({
    loss: 'logistic',
    classes: ['no', 'yes'],
    weights: [Array.from({ length: columns }, (_, j) => scale * Math.sin(j + 1))],
    intercepts: [0],
  })
  const stations = stationsOn(kernelBuild!, loaded[form])
  const cells = cellsFor(logistic)
  const brief = briefOf(await stations.tally(model, cells), cells)!
  expect(brief.points).toBe(size)
  const short = stations.shortScorer(model)
  for (const { mass } of [strategies.alis, strategies['alis-audit'], strategies['paper-all']]) {
    const census = censusOf(brief, logistic, mass)!
    const massOf = mass.settle(census)
    const { survey } = lookAt(brief, census, mass, massOf, logistic, [])!
    const belief = emptyBelief(2)
    const sum = compensatedSum()
    const inexact = compensatedSum() // as if points were drawn by scores that are a trifle other
    for (let row = 0; row < size; row++) {
      logistic.read([short(row)], belief)
      sum.add(massOf(belief))
      logistic.read([short(row) * (1 + 1e-3)], belief)
      inexact.add(massOf(belief))
    }
    expect(Math.abs(survey.mass / sum.total() - 1)).toBeLessThan(1e-7)
    if (mass === strategies.alis.mass) expect(Math.abs(survey.mass / inexact.total() - 1)).toBeGreaterThan(1e-6)
  }
  stations.close()
})

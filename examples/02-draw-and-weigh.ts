// The statistics alone: draw a few points with known probabilities, and estimate a mean over all of them.
import { hashIds, lureWeights, paperDistribution, successive, uniformsOf, withFloor } from 'alis-learn'

const losses = Float64Array.from({ length: 1000 }, (_, i) => (i % 50 === 0 ? 1 : 0.01)) // rare large losses
const mean = losses.reduce((a, b) => a + b) / losses.length

// Suspect the large ones, but never trust the suspicion: a fifth of the draws stay uniform.
const masses = withFloor(paperDistribution(losses), 0.2)
const uniforms = uniformsOf({ seed: 7, name: 'example' }, hashIds(Array.from(losses, (_, i) => `${i}`)))

for (const size of [50, 100, 200]) {
  const draws = successive.draw(masses, size, uniforms)
  const weights = lureWeights(
    draws.map(({ probability }) => probability),
    losses.length,
  )
  const estimate = draws.reduce((sum, { index }, k) => sum + weights[k]! * losses[index]!, 0) / size
  console.log(`${size} draws: estimate ${estimate.toFixed(4)}, truth ${mean.toFixed(4)}`)
}

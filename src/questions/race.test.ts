import { describe, expect, it } from 'vitest'
import { audit } from '../audit.ts'
import { uniform } from '../core/randomness.ts'
import type { Label } from '../core/record.ts'
import { doubtPlace, stratumCodes } from '../core/strata.ts'
import { stratifiedMemory } from '../engines/stratified.ts'
import { columnOracle } from '../oracles/column.ts'
import { certify } from '../projects/certify.ts'
import { memoryStore } from '../stores/memory.ts'
import { axesOf, type Frame } from './frame.ts'
import { firstFault } from './replay.ts'
import { question } from './spec.ts'

const frame: Frame = { classes: ['a', 'b', 'c'], models: ['poor', 'good', 'fair'], slices: [] }
const accuracies = [0.6, 0.85, 0.75]
const size = 1200
const ids = Array.from({ length: size }, (_, i) => `p${i}`)
const truths = ids.map((id) => Math.floor(3 * uniform(1, 'truth', id) * 0.999))
const { code } = stratumCodes(axesOf(frame))
const rest = { doubt: doubtPlace(0.1), runnerUp: 3, share: 0, grade: 0, slices: [] }
const codes = Float64Array.from(ids, (id, i) => {
  const predicted = accuracies.map((accuracy, j) => (uniform(1, `model ${j}`, id) < accuracy ? truths[i]! : (truths[i]! + 1) % 3))
  return code({ predicted, ...rest })
})
const truth = new Map<string, Label>(ids.map((id, i) => [id, frame.classes[truths[i]!]!]))
const subject = () => ({ pool: stratifiedMemory({ ids, codes }), frame, model: 'three models' })
const race = { within: 0.01, level: 0.95 }

describe('the best of several models', () => {
  it('is named with few answers, asked only where models differ that may still be the best', async () => {
    const rounds = await Array.fromAsync(
      audit({ subject: subject(), store: memoryStore(), oracle: columnOracle(truth), race, seed: 4, batch: 20 }),
    )
    const { best, answered, isReached } = rounds.at(-1)!
    expect(best).toMatchObject({ model: 'good', leader: 'good' })
    expect(best!.out).toContain('poor')
    expect(isReached).toBe(true)
    expect(answered).toBeLessThan(300)
    const { stratum } = stratumCodes(axesOf(frame))
    for (const { draws } of rounds)
      for (const { scores } of draws) expect(new Set(stratum(scores[0]!).predicted).size).toBeGreaterThan(1)
  })

  it('is certified, verified, and found out if it was written by hand', async () => {
    const audited = { ...subject(), poolHash: 'sha256:0', columns: {} }
    const options = { questions: [], race, goal: {}, batch: 20, strategy: 'alis-audit', seed: 4, seedChosen: true } as const
    const running = certify(audited, { oracle: columnOracle(truth) }, options)
    let step = await running.next()
    while (!step.done) step = await running.next()
    const { certificate } = step.value
    expect(certificate.claim).toContain('good is the most accurate of the models')
    expect(await firstFault(subject(), certificate)).toBeUndefined()
    const forged = { ...certificate, best: { ...certificate.best!, model: 'fair' } }
    expect(await firstFault(subject(), forged)).toMatch(/^best\.model: must be "good", got "fair"/)
  })

  it('may be asked beside other questions, which count the draws that matter to them', async () => {
    const questions = [question('error', { against: 'fair' })]
    const store = memoryStore()
    const plan = { subject: subject(), store, oracle: columnOracle(truth), questions, race, seed: 4, batch: 20 }
    const { questions: [asked], answered } = (await Array.fromAsync(audit(plan))).at(-1)! // biome-ignore format: one thing
    expect(asked!.answers).toBeLessThanOrEqual(answered)
  })
})

it('refuses a race of one', async () => {
  const alone = { ...subject(), frame: { ...frame, models: ['good'] } }
  const plan = { subject: alone, store: memoryStore(), oracle: columnOracle(truth), race, seed: 4 }
  await expect(Array.fromAsync(audit(plan))).rejects.toThrow('race: two models or more are required, got 1')
})

import { successive } from '../../src/designs/successive.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { errorOf } from '../../src/losses/error.ts'
import { logistic } from '../../src/losses/logistic.ts'
import { alis } from '../../src/strategies/alis.ts'
import { modelOf } from './pool.ts'

/** Milliseconds of each round as the loop makes it: another model, draw 100 by the default strategy, take them. */
export async function rounds(engine: Engine, count: number, first = 0): Promise<number[]> {
  const request = { loss: logistic, mass: alis.mass, controls: [errorOf(logistic)], design: successive, size: 100 }
  const times: number[] = []
  for (let round = first; round < first + count; round++) {
    const model = modelOf(engine.columns, round)
    const start = performance.now()
    const { draws } = await engine.draw({ ...request, model, stream: { seed: 1, name: `learn/${round}` } })
    await engine.take(draws.map(({ id }) => id))
    times.push(performance.now() - start)
  }
  return times
}

import type { Reader } from '../../src/core/belief.ts'
import type { LearnedModel } from '../../src/core/model.ts'
import { successive } from '../../src/designs/successive.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { crossEntropy } from '../../src/losses/cross-entropy.ts'
import { errorOf } from '../../src/losses/error.ts'
import { logistic } from '../../src/losses/logistic.ts'
import { alis } from '../../src/strategies/alis.ts'
import { modelOf, type Timing, timed } from './pool.ts'

/** Each round as the loop makes it: another model, draw 100 by the default strategy, take them. */
export async function rounds(
  engine: Engine,
  count: number,
  first = 0,
  modelIn: (round: number) => LearnedModel = (round) => modelOf(engine.columns, round),
): Promise<Timing[]> {
  const request = { mass: alis.mass, design: successive, size: 100 }
  const times: Timing[] = []
  for (let round = first; round < first + count; round++) {
    const model = modelIn(round)
    const loss: Reader = model.classes.length === 2 ? logistic : crossEntropy
    const stream = { seed: 1, name: `learn/${round}` }
    times.push(
      await timed(async () => {
        const { draws } = await engine.draw({ ...request, model, loss, controls: [errorOf(loss)], stream })
        await engine.take(draws.map(({ id }) => id))
      }),
    )
  }
  return times
}

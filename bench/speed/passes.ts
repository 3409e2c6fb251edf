import { hashIds } from '../../src/core/randomness.ts'
import { fastEngine } from '../../src/engines/kernels/engine.ts'
import { kernelBuild } from '../../src/engines/kernels/kernels.ts'
import { measuringOn } from '../../src/engines/kernels/measure-rates.ts'
import { byteSlabs, floatSlabs, haveBytes, inSlabs } from '../../src/engines/kernels/slabs.ts'
import { errorOf } from '../../src/losses/error.ts'
import { logistic } from '../../src/losses/logistic.ts'
import { alis } from '../../src/strategies/alis.ts'
import { median, modelOf, randomPool, timed } from './pool.ts'

export interface Pass {
  readonly columns: number
  readonly bits: 8 | 32
  readonly rows: number
  /** Bytes of features a second, survey and all. */
  readonly rate: number
  /** Bytes a second that the same threads read, the same features and before each survey. */
  readonly read: number
  /** The one as a share of the other: whatever else goes on, it meets both alike. */
  readonly share: number
}

const widths = [20, 64, 256, 768]
const megabytes = 512 // of 32-bit features: two million points of 64, and more than caches hold
const [warmUp, tries] = [20, 60]

/** How fast whole pools are surveyed, by width and by bits, with the threads this process has. */
export async function measurePasses(): Promise<Pass[]> {
  const passes: Pass[] = []
  for (const columns of widths) {
    const rows = Math.round((megabytes * 2 ** 18) / columns)
    const { ids, features: random } = randomPool(rows, columns)
    const hashes = hashIds(ids)
    const features = inSlabs(random, hashes)
    const bytes = byteSlabs(features, hashes)
    haveBytes(features, bytes)
    for (const bits of [32, 8] as const) {
      const [slab] = bits === 8 ? bytes.slabs : floatSlabs(features, hashes)!
      const engine = fastEngine({ ids, features, hashes, bits })
      const machine = measuringOn(kernelBuild!, slab!)
      const survey = async (round: number) => {
        const question = { model: modelOf(columns, round), loss: logistic, mass: alis.mass, controls: [errorOf(logistic)] }
        const { clock } = await timed(() => engine.survey(question))
        return (rows * columns * (bits / 8) * 1000) / clock
      }
      for (let round = 0; round < warmUp; round++) await survey(round)
      const pairs: { rate: number; read: number }[] = []
      for (let round = 0; round < tries; round++) pairs.push({ read: await machine.read(), rate: await survey(warmUp + round) })
      machine.close()
      await engine.close()
      const middle = (value: (pair: { rate: number; read: number }) => number) => median(pairs.map(value))
      const [rate, read] = [middle((pair) => pair.rate), middle((pair) => pair.read)]
      passes.push({ columns, bits, rows, rate, read, share: middle((pair) => pair.rate / pair.read) })
    }
  }
  return passes
}

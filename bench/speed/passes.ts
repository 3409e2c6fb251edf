import { measureRates } from '../../src/engines/fast/measure.ts'
import { fastEngine } from '../../src/engines/fast.ts'
import { errorOf } from '../../src/losses/error.ts'
import { logistic } from '../../src/losses/logistic.ts'
import { alis } from '../../src/strategies/alis.ts'
import { modelOf, randomPool, timed } from './pool.ts'

export interface Pass {
  readonly columns: number
  readonly bits: 8 | 32
  /** Bytes of features a second, the best of forty passes: survey and all. */
  readonly rate: number
  readonly rows: number
  /** Nanoseconds of all processors for a point. */
  readonly nanoseconds: number
}

export interface Passes {
  /** Bytes a second that the same threads can read. */
  readonly read: number
  /** The same in a second of processor time. */
  readonly readByProcessor: number
  readonly passes: readonly Pass[]
}

const widths = [20, 64, 256, 768]
const megabytes = 128 // of 32-bit features

/** How fast whole pools are surveyed, by width and by bits, with the threads this process has. */
export async function measurePasses(): Promise<Passes> {
  const passes: Pass[] = []
  let read = 0
  let readByProcessor = 0
  for (const columns of widths) {
    const rows = Math.round((megabytes * 2 ** 18) / columns)
    const pool = randomPool(rows, columns)
    for (const bits of [32, 8] as const) {
      const engine = fastEngine({ ...pool, bits })
      let rate = 0
      let nanoseconds = Number.POSITIVE_INFINITY
      for (let round = 0; round < 40; round++) {
        const question = { model: modelOf(columns, round), loss: logistic, mass: alis.mass, controls: [errorOf(logistic)] }
        const { clock, processors } = await timed(() => engine.survey(question))
        rate = Math.max(rate, (rows * columns * (bits / 8) * 1000) / clock)
        nanoseconds = Math.min(nanoseconds, (1e6 * processors) / rows)
      }
      await engine.close()
      passes.push({ columns, bits, rate, rows, nanoseconds })
    }
    const rates = await measureRates(4)
    read = Math.max(read, rates?.read ?? 0)
    readByProcessor = Math.max(readByProcessor, rates?.readByProcessor ?? 0)
  }
  return { read, readByProcessor, passes }
}

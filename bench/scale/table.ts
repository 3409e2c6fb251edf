// Rounds that were measured, wherever the pool lay: one table and one line for all engines.
import { drawTable } from '../../src/cli/terminal/table.ts'
import { byteSize, count, seconds } from '../../src/text/wording.ts'

export interface Measured {
  readonly engine: string
  readonly shards: number
  readonly rows: number
  readonly openSeconds: number
  readonly roundSeconds: number
  /** What all threads computed in a round: depends less on who else uses the machine. */
  readonly coreSeconds: number
  /** To read the features and add them up: what no round can do without. */
  readonly scanSeconds?: number
  /** What came back of a round. */
  readonly bytes?: number
  /** The most memory the process held. */
  readonly peak?: number
}

const columns: readonly [string, (measured: Measured) => string][] = [
  ['engine', ({ engine }) => engine],
  ['shards', ({ shards }) => `${shards}`],
  ['points', ({ rows }) => count(rows)],
  ['opening', ({ openSeconds }) => seconds(openSeconds)],
  ['a round', ({ roundSeconds }) => seconds(roundSeconds)],
  ['points/s', ({ rows, roundSeconds }) => count(Number((rows / roundSeconds).toPrecision(2)))],
  ['core-seconds', ({ coreSeconds }) => coreSeconds.toFixed(2)],
  ['round ÷ plain scan', ({ roundSeconds, scanSeconds }) => (scanSeconds ? `${(roundSeconds / scanSeconds).toFixed(1)} ×` : '')],
  ['returned to the client', ({ bytes }) => (bytes === undefined ? '' : byteSize(bytes))],
  ['peak memory', ({ peak }) => (peak === undefined ? '' : byteSize(peak))],
]

export function printRounds(measured: readonly Measured[]): void {
  const rows = measured.map((one) => columns.map(([, cell]) => cell(one)))
  console.log(
    drawTable({ columns: columns.map(([title]) => ({ title, ...(title === 'engine' && { align: 'left' as const }) })), rows }),
  )
}

/** The line that goes through the rounds with the least relative errors: large pools must not drown the small ones. */
export function printLine(name: string, points: readonly Measured[]): void {
  let [w, wx, wxx, wy, wxy] = [0, 0, 0, 0, 0]
  for (const { rows: x, coreSeconds: y } of points) {
    const weight = 1 / y ** 2
    w += weight
    wx += weight * x
    wxx += weight * x * x
    wy += weight * y
    wxy += weight * x * y
  }
  const slope = (w * wxy - wx * wy) / (w * wxx - wx * wx)
  const start = (wy - slope * wx) / w
  console.log(`${name}: core-seconds of a round = ${start.toFixed(2)} + ${(1e6 * slope).toFixed(2)} · millions of points`)
}

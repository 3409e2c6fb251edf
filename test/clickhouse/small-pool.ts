import { uniform } from '../../src/core/randomness.ts'
import { quotedText } from '../../src/engines/clickhouse/sql-text.ts'

/** Points with a list of numbers, a number that is missing here and there, a category, and the class they are of. */
export interface SmallPoint {
  readonly id: string
  readonly v: readonly number[]
  readonly weight: number | null
  readonly colour: string
  readonly y: string
}

/** As many points as wanted, from a formula. Numbers are eighths, which every reader reads alike. */
export function smallPool(points: number): SmallPoint[] {
  return Array.from({ length: points }, (_, i): SmallPoint => {
    const eighth = (what: string) => Math.round(16 * uniform(8, what, `${i}`) - 8) / 8
    const v = [eighth('a'), eighth('b'), eighth('c')]
    const weight = i % 11 === 0 ? null : eighth('w') + 3
    const colour = ['red', "bl'ue", 'gr\\een'][i % 3]!
    const score = v[0]! - 2 * v[1]! + 0.5 * (weight ?? 3) + (i % 3) / 2 - 2 + eighth('noise') / 2
    return { id: `p${i}`, v, weight, colour, y: score > 0 ? 'yes' : 'no' }
  })
}

export const smallColumns = 'id String, v Array(Float32), weight Nullable(Float64), colour String, y String'

export const smallValues = (points: readonly SmallPoint[]): string =>
  points
    .map(({ id, v, weight, colour, y }) => `(${[quotedText(id), `[${v}]`, weight ?? 'NULL', quotedText(colour), quotedText(y)]})`)
    .join(', ')

export const smallLines = (points: readonly SmallPoint[]): string => points.map((point) => `${JSON.stringify(point)}\n`).join('')

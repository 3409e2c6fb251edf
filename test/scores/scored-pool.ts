import { uniform } from '../../src/core/randomness.ts'
import { quotedText } from '../../src/engines/clickhouse/sql-text.ts'

/** A point with what a model from elsewhere says of it: in two classes (`p`), and in three. */
export interface ScoredPoint {
  readonly id: string
  readonly p: number
  readonly bird: number
  readonly cat: number
  readonly dog: number
  readonly body: string
  readonly y: string
  readonly animal: string
}

/** Chances are 1024ths, which every reader reads alike. `version`: of the model. */
export function scoredPoints(points: number, version = 1): ScoredPoint[] {
  return Array.from({ length: points }, (_, i): ScoredPoint => {
    const share = (what: string) => Math.floor(1025 * uniform(version, what, `${i}`)) / 1024
    const [p, bird, cat] = [share('p'), share('bird') / 2, share('cat') / 2]
    const truth = uniform(7, 'truth', `${i}`)
    return {
      id: `s${i}`,
      p,
      bird,
      cat,
      dog: 1 - bird - cat,
      body: `mail number ${i}`,
      y: truth < uniform(1, 'p', `${i}`) ? 'spam' : 'ham',
      animal: ['bird', 'cat', 'dog'][Math.floor(3 * truth) % 3]!,
    }
  })
}

export const scoredLines = (points: readonly ScoredPoint[]): string =>
  points.map((point) => `${JSON.stringify(point)}\n`).join('')

export const scoredTable = 'id String, p Float64, bird Float64, cat Float64, dog Float32, body String, y String, animal String'

export const scoredValues = (points: readonly ScoredPoint[]): string =>
  points
    .map(
      ({ id, p, bird, cat, dog, body, y, animal }) =>
        `(${[quotedText(id), p, bird, cat, dog, ...[body, y, animal].map(quotedText)]})`,
    )
    .join(', ')

import type { FeatureRows } from '../core/features.ts'
import { type Model, scorerOf, scoresPerPoint } from '../core/model.ts'

/** Rows that are looked at: the last of them, which say as much as all. */
const most = 512

/**
 * How far scores have moved from one model to the next, as a share of what they are, and of 1 where they are larger: √(mean square) over
 * some rows. A thing to decide by before a draw; no interval rests on it.
 */
export function movement(features: FeatureRows, before: Model, after: Model): number {
  const [old, now] = [before, after].map((model) => new Float64Array(scoresPerPoint(model))) as [Float64Array, Float64Array]
  const [scoreOld, scoreNow] = [scorerOf(before), scorerOf(after)]
  let moved = 0
  let size = 0
  const from = Math.max(0, features.rows - most)
  for (let row = from; row < features.rows; row++) {
    scoreOld(features, row, old)
    scoreNow(features, row, now)
    for (let k = 0; k < now.length; k++) {
      moved += (now[k]! - old[k]!) ** 2
      size += now[k]! ** 2
    }
  }
  const count = (features.rows - from) * now.length
  return moved === 0 ? 0 : Math.sqrt(moved / Math.min(count, size))
}

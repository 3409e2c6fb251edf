import { requireInput } from '../core/errors.ts'
import { pick } from '../core/pick.ts'
import { ceilingMetrics, leastOf, metrics } from '../metrics/catalogue.ts'
import type { Goal } from '../questions/record.ts'
import type { QuestionSpec } from '../questions/spec.ts'
import { listed } from '../text/wording.ts'

/** When to stop, as far as the options say. */
export interface GoalWishes extends Goal {
  readonly level: number
  readonly batch: number
}

/** The goal that was set, or else one percentage point; of grades, a hundredth of their range. */
export function goalOf(options: GoalWishes, [least, most]: readonly [number, number] = [0, 1]): Goal {
  const goal = pick(options, 'tolerance', 'below', 'budget')
  const first = options.first ? ({ first: true } as const) : {}
  return { ...(Object.keys(goal).length > 0 ? goal : { tolerance: (most - least) / 100 }), ...first }
}

/** A share cannot be off by all of it; a grade can be off by anything. */
export function requireTolerance({ tolerance = 0.5 }: GoalWishes): void {
  requireInput(tolerance < 1, `--tolerance: a number in (0, 1) is required, got ${tolerance}`)
}

/** What the audit itself would refuse, once there is a project. */
export function requireReachable({ below }: Goal, questions: readonly QuestionSpec[]): void {
  if (below === undefined) return
  const asked = ceilingMetrics.map((name) => (metrics[name].needs === 'other model' ? `a ${name}` : name))
  for (const { metric, against } of questions) {
    requireInput(
      ceilingMetrics.includes(metric),
      `--below: ${listed(asked, 'or')} is required, got ${metric}`,
      'Set a --tolerance or a --budget.',
    )
    const least = against === undefined ? leastOf(metric) : -1
    requireInput(below > least, `--below: a number in (${least}, 1) is required, got ${below}`)
  }
}

import { unitOf } from '../../metrics/metric-labels.ts'
import type { Project } from '../../protocol/project.ts'
import { plusMinus } from '../../text/shares.ts'
import { goalText } from './now.ts'

/** A goal on the way, and how much of the way to it is done: 1 where it is reached. */
export interface Stop {
  readonly name: string
  readonly share: number
}

/** What answers have come to: ±10, ±5 and ±3 % while a model learns, and what was asked for while one thing is measured. */
export function stopsOf({ now, audit, purpose }: Project, answers: number): Stop[] {
  if (audit) return auditStops(audit, answers)
  if (purpose === 'audit' || !now) return []
  const next = now.goals.find(({ isReached }) => !isReached)
  return now.goals.map((goal) => {
    if (goal.isReached) return { name: goalText(goal), share: 1 }
    const more = goal === next && goal.more ? (goal.more.low + goal.more.high) / 2 : undefined
    return { name: goalText(goal), share: more === undefined ? 0 : partOf(answers, more) }
  })
}

function auditStops(
  { goal, questions, isReached, metric, positive, against, answers: counted }: NonNullable<Project['audit']>,
  answers: number,
): Stop[] {
  const { tolerance, below, budget } = goal
  const unit = unitOf({ metric, ...(positive !== undefined && { positive }), ...(against !== undefined && { against }) })
  const aimedAt = goal.first ? questions.slice(0, 1) : questions
  const needed = aimedAt.filter((asked) => !asked.isReached).map(({ forecast }) => forecast?.answers)
  const more = needed.includes(undefined) ? undefined : Math.max(0, ...(needed as number[]))
  const share = isReached ? 1 : more === undefined || counted === 0 ? 0 : partOf(answers, more)
  if (tolerance !== undefined) return [{ name: plusMinus(tolerance, unit), share }]
  if (below !== undefined) return [{ name: `below ${plusMinus(below).slice(1)}`, share }]
  return budget === undefined ? [] : [{ name: `${budget}`, share: Math.min(1, answers / budget) }]
}

const partOf = (answers: number, more: number) => Math.min(0.97, answers / Math.max(1, answers + more))

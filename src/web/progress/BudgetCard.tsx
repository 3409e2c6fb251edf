import { useState } from 'react'
import type { Project } from '../../protocol/project.ts'
import { percentage } from '../../text/shares.ts'
import { count } from '../../text/wording.ts'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { Meter } from '../parts/Meter.tsx'
import { PlanForm } from './PlanForm.tsx'

export function BudgetCard({ project }: { project: Project }) {
  const [isChanging, setChanging] = useState(false)
  const { plan, nextPlan, answers, strategy } = project
  const next = nextRound(project)
  const spent = Math.min(1, answers / plan.budget)
  if (isChanging) return <PlanForm project={project} round={next} onClose={() => setChanging(false)} />
  return (
    <Card title="Budget" note={noteOf(project)}>
      <p className="big">
        {count(answers)} of {count(plan.budget)}
        <small>answers spent</small>
      </p>
      <Meter label={`${percentage(spent)} of the budget spent`} share={spent} />
      <div>
        <h2>
          Strategy: <span className="mono">{strategy.name}</span>
        </h2>
        <p className="caption">{strategy.summary}</p>
        {nextPlan && (
          <p className="caption">
            From round {next} on: <span className="mono">{nextPlan.strategy}</span>, {count(nextPlan.batch)} answers a round, at
            most {count(nextPlan.budget)} in all.
          </p>
        )}
      </div>
      <p className="caption at-foot">
        Draws of closed rounds stay as they are when you change the strategy; the next round uses the new one.
      </p>
      <Button onClick={() => setChanging(true)}>Change for round {next}</Button>
    </Card>
  )
}

function noteOf({ phase }: Project): string {
  if (phase.kind === 'asking') return phase.purpose === 'learn' ? `Round ${phase.number} is open` : 'An audit is under way'
  if (phase.kind === 'opening' && phase.purpose === 'learn') return `Round ${phase.number} is on its way`
  return phase.kind === 'done' ? 'All answers are in' : ''
}

/** The first round that a change can reach: what is drawn, or being drawn, stays. */
function nextRound({ phase, rounds }: Project): number {
  const isUnderWay = (phase.kind === 'asking' || phase.kind === 'opening') && phase.purpose === 'learn'
  return (isUnderWay ? phase.number : (rounds.at(-1)?.number ?? 0)) + 1
}

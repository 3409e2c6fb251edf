import type { RunningGoal } from '../../protocol/now.ts'
import type { Project } from '../../protocol/project.ts'
import { costOf, goalText, said } from '../text/now.ts'
import './now.css'

/** What every goal takes, while the model goes on learning: a guess. */
export function Goals({ project }: { project: Project }) {
  const { now, answers, points } = project
  return (
    <ul className="goals">
      {now?.goals.map((goal) => (
        <li key={goal.tolerance} className={goal.isReached ? 'goal is-reached' : 'goal'}>
          <b>{goalText(goal)}</b>
          <Cost goal={goal} cost={costOf(goal, { pace: now.pace, left: points - answers })} />
        </li>
      ))}
    </ul>
  )
}

function Cost({ goal, cost }: { goal: RunningGoal; cost: ReturnType<typeof costOf> }) {
  if (goal.isReached) return <span className="strong">{said.reached}</span>
  if (!cost) return <span className="faint">{said.unknown}</span>
  return (
    <span>
      <span className="strong">{cost.answers}</span>
      {cost.time && <small className="faint">{cost.time}</small>}
    </span>
  )
}

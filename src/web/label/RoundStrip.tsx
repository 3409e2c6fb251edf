import type { Project } from '../../protocol/project.ts'
import { count, counted } from '../../text/wording.ts'
import { Meter } from '../parts/Note.tsx'
import { currentOf, type PageRound, titleOf } from './round.ts'
import { useLabelling } from './state.ts'

/** Above this many, ticks would be too fine to tell apart. */
const mostTicks = 60

/** How far the round of a view is: one tick for each draw, in draw order. */
export function RoundStrip({ project, purpose }: { project: Project; purpose: PageRound['purpose'] }) {
  const { round } = useLabelling()
  const { phase, answers, points, plan } = project
  if (round?.purpose === purpose)
    return (
      <div className="round">
        <span className="faint">{titleOf(round)}</span>
        <Strip round={round} />
        <b style={{ minWidth: `${2 * count(round.points.length).length + 3}ch` }}>{howFar(round, project)}</b>
      </div>
    )
  // Its place is kept while the round is on its way, so that nothing below moves when it comes.
  if ((phase.kind === 'asking' || phase.kind === 'opening') && phase.purpose === purpose)
    return (
      <div className="round">
        <span className="faint">{titleOf(phase)}</span>
      </div>
    )
  if (phase.kind !== 'done' || purpose === 'audit') return null
  return (
    <div className="round">
      <b>
        {count(answers)} of {count(Math.max(answers, Math.min(plan.budget, points)))}
      </b>
    </div>
  )
}

/** Of an audit it is not known "of how many": it ends when its interval is narrow enough. */
function howFar({ purpose, answers, points }: PageRound, { audit }: Project): string {
  if (purpose === 'audit') return counted((audit?.steps.at(-1)?.answers ?? 0) + answers.size, 'answer')
  return `${count(answers.size)} of ${count(points.length)}`
}

function Strip({ round }: { round: PageRound }) {
  const { answers, points } = round
  const says = `${answers.size} of ${points.length} draws answered`
  if (points.length > mostTicks)
    return (
      <div className="strip-bar">
        <Meter label={says} share={answers.size / points.length} />
      </div>
    )
  const current = currentOf(round)
  return (
    <span className="strip" role="img" aria-label={says}>
      {points.map(({ id }) => (
        <i key={id} className={tickOf(round, id, id === current)} />
      ))}
    </span>
  )
}

function tickOf({ answers, later }: PageRound, id: string, isCurrent: boolean): string | undefined {
  if (isCurrent) return 'is-current'
  const label = answers.get(id)
  if (label === null) return 'is-unknown'
  if (label !== undefined) return 'is-answered'
  return later.has(id) ? 'is-later' : undefined
}

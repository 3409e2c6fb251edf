import type { Project } from '../../protocol/project.ts'
import { count, counted } from '../../text/wording.ts'
import { Meter } from '../parts/Meter.tsx'
import { currentOf, type Round, titleOf } from './round.ts'
import { useLabelling } from './state.ts'

/** Above this many, ticks would be too fine to tell apart. */
const mostTicks = 60

/** How far the round of a view is: one tick for each draw, in draw order. */
export function RoundStrip({ project, purpose }: { project: Project; purpose: Round['purpose'] }) {
  const { round } = useLabelling()
  if (round?.purpose === purpose)
    return (
      <div className="round">
        <span className="faint">{titleOf(round)}</span>
        <Strip round={round} />
        <b style={{ minWidth: `${2 * count(round.points.length).length + 3}ch` }}>{howFar(round, project)}</b>
      </div>
    )
  const { phase } = project
  if ((phase.kind === 'asking' || phase.kind === 'opening') && phase.purpose === purpose) return <Coming {...phase} />
  if (phase.kind !== 'done' || purpose === 'audit') return null
  return (
    <div className="round">
      <b>
        {count(project.answers)} of {count(Math.max(project.answers, Math.min(project.plan.budget, project.points)))}
      </b>
    </div>
  )
}

/** Its place is kept while the round is on its way, so that nothing below moves when it comes. */
function Coming(round: Pick<Round, 'purpose' | 'number'>) {
  return (
    <div className="round">
      <span className="faint">{titleOf(round)}</span>
    </div>
  )
}

/** An audit ends when it is narrow enough, so nobody knows "of how many". */
function howFar({ purpose, answers, points }: Round, { audit }: Project): string {
  if (purpose === 'audit') return counted((audit?.steps.at(-1)?.answers ?? 0) + answers.size, 'answer')
  return `${count(answers.size)} of ${count(points.length)}`
}

function Strip({ round }: { round: Round }) {
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

function tickOf({ answers, later }: Round, id: string, isCurrent: boolean): string | undefined {
  if (isCurrent) return 'is-current'
  const label = answers.get(id)
  if (label === null) return 'is-unknown'
  if (label !== undefined) return 'is-answered'
  return later.has(id) ? 'is-later' : undefined
}

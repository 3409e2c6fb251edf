import { memo } from 'react'
import type { View } from '../../protocol/points.ts'
import type { Project } from '../../protocol/project.ts'
import { Thumb } from '../parts/Point.tsx'
import { navigate } from '../shell/routes.tsx'
import { labelling } from './labelling.ts'
import type { Recent } from './recent.ts'
import { labellingNow, useLabelling } from './state.ts'

/** What was answered last, newest first. A click opens it again. No prediction is ever shown beside it. */
export function LastTen({ project }: { project: Project }) {
  const { recent } = useLabelling()
  if (recent.length === 0) return <p className="caption">No answers yet. They appear here as you give them.</p>
  return (
    <ul className="last-ten">
      {recent.slice(0, 10).map((answer) => (
        <Answer key={`${answer.round} ${answer.content.id}`} view={project.view} answer={answer} />
      ))}
    </ul>
  )
}

/** Where its round is asked: the draws of an audit are shown in Certify. */
function open(answer: Recent): void {
  const { round } = labellingNow()
  labelling.revise(answer)
  if (round?.round === answer.round && round.purpose === 'audit') navigate('/certify')
}

const Answer = memo(function Answer({ view, answer }: { view: View; answer: Recent }) {
  const { content, label } = answer
  const isPicture = view.kind === 'bitmap' || view.kind === 'image'
  return (
    <li>
      <button type="button" className={`row-button ${isPicture ? 'is-picture' : 'is-words'}`} onClick={() => open(answer)}>
        <span className="heard">Revise </span>
        <Thumb view={view} content={content} />
        <span className={label === null ? 'last-what clipped is-unknown' : 'last-what clipped'}>{label ?? 'cannot tell'}</span>
        {isPicture && <span className="last-id clipped mono">{content.id}</span>}
        <span className="last-revise" aria-hidden="true">
          Revise
        </span>
      </button>
    </li>
  )
})

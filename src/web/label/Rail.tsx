import { memo } from 'react'
import type { View } from '../../protocol/points.ts'
import type { Project } from '../../protocol/project.ts'
import { enoughAnswers } from '../../text/now.ts'
import { count, counted } from '../../text/wording.ts'
import { shortcutOf } from '../keys/keymap.ts'
import { Band } from '../now/Band.tsx'
import { IconButton } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Thumb } from '../parts/Point.tsx'
import { navigate } from '../shell/routes.tsx'
import { lookWords, notByLot, nowStateOf } from '../text/now.ts'
import { labelling } from './labelling.ts'
import { labellingNow, type Recent, useLabelling } from './state.ts'

/** Beside the point: the last answers, and what the rounds said. The plot moves when a round closes, not with every answer. */
export function Rail({ project, isOpen, onToggle }: { project: Project; isOpen: boolean; onToggle: () => void }) {
  return (
    <aside className="rail" aria-label="Last answers and plot" id="rail">
      <IconButton
        className="rail-toggle"
        label={isOpen ? 'Close the panel' : 'Open the panel'}
        shortcut={shortcutOf('rail')}
        aria-expanded={isOpen}
        onClick={onToggle}
      >
        <Icon name="rail" />
      </IconButton>
      <section className="rail-last">
        <h2>Your last answers</h2>
        <LastTen project={project} />
      </section>
      <section className="rail-plot">
        <h2>How wrong, by answers</h2>
        <RailPlot project={project} />
      </section>
    </aside>
  )
}

function RailPlot({ project }: { project: Project }) {
  const { now, nextPlan, plan } = project
  const state = nowStateOf(project)
  if (!now || state.kind === 'none') return <p className="caption">{project.strategy.isRandom ? noBandYet : notByLot}</p>
  return (
    <>
      <div
        role="img"
        aria-label={`How wrong, by answers. After ${counted(state.look.answers, 'answer')}: ${lookWords(state.look)}.`}
      >
        <Band looks={now.looks} size={small} isSmall />
      </div>
      <p className="caption">
        Always about the model of the moment. Moves when {count((nextPlan ?? plan).batch)} answers are in.
      </p>
    </>
  )
}

const small = { width: 280, height: 150 }
const noBandYet = `The first answers teach the first model. An estimate follows, and from ${enoughAnswers} answers on a range stands here and narrows.`

/** What was answered last, newest first. A click opens it again. No prediction is ever shown beside it. */
function LastTen({ project }: { project: Project }) {
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
        <span className={label === null ? 'last-what clipped is-unknown' : 'last-what clipped'} dir="auto">
          {label ?? 'cannot tell'}
        </span>
        {isPicture && <span className="last-id clipped mono">{content.id}</span>}
        <span className="last-revise" aria-hidden="true">
          Revise
        </span>
      </button>
    </li>
  )
})

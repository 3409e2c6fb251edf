import { memo, useState } from 'react'
import type { View } from '../../protocol/points.ts'
import type { Project } from '../../protocol/project.ts'
import { counted } from '../../text/wording.ts'
import { shortcutOf } from '../keys/keymap.ts'
import { Band } from '../now/Band.tsx'
import { Button, IconButton } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Thumb } from '../parts/Point.tsx'
import { navigate } from '../shell/routes.tsx'
import { words } from '../text/label.ts'
import { lookWords, notByLot, nowStateOf } from '../text/now.ts'
import { labelling } from './labelling.ts'
import { labellingNow, type Recent, useLabelling } from './state.ts'

/** Beside the point: the last answers, and what the rounds said. The plot moves when a round closes, not with every answer. */
export function Rail({ project, isOpen, onToggle }: { project: Project; isOpen: boolean; onToggle: () => void }) {
  const [isUnfolded, setUnfolded] = useState(false) // on a narrow screen
  return (
    <aside className={isUnfolded ? 'rail' : 'rail is-folded'} aria-label={words.rail} id="rail">
      <Button
        kind="bare"
        className="button bare rail-toggle-narrow"
        aria-expanded={isUnfolded}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        {words.lastAnswers}
      </Button>
      <IconButton
        className="rail-toggle"
        label={isOpen ? words.closeRail : words.openRail}
        shortcut={shortcutOf('rail')}
        aria-expanded={isOpen}
        onClick={onToggle}
      >
        <Icon name="rail" />
      </IconButton>
      <section className="rail-last">
        <h2>{words.lastAnswers}</h2>
        <LastTen project={project} />
      </section>
      <section className="rail-plot">
        <h2>{words.plot}</h2>
        <RailPlot project={project} />
      </section>
    </aside>
  )
}

function RailPlot({ project }: { project: Project }) {
  const { now, nextPlan, plan } = project
  const state = nowStateOf(project)
  if (!now || state.kind === 'none') return <p className="caption">{project.strategy.isRandom ? words.noBandYet : notByLot}</p>
  return (
    <>
      <div role="img" aria-label={`${words.plot}. After ${counted(project.answers, 'answer')}: ${lookWords(state.look)}.`}>
        <Band looks={now.looks} size={small} isSmall />
      </div>
      <p className="caption">{words.pace((nextPlan ?? plan).batch)}</p>
    </>
  )
}

const small = { width: 280, height: 150 }

/** What was answered last, newest first. A click opens it again. No prediction is ever shown beside it. */
function LastTen({ project }: { project: Project }) {
  const { recent } = useLabelling()
  if (recent.length === 0) return <p className="caption">{words.noneYet}</p>
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
        <span className="heard">{words.revise} </span>
        <Thumb view={view} content={content} />
        <span className={label === null ? 'last-what clipped is-unknown' : 'last-what clipped'} dir="auto">
          {label ?? words.unknownAnswer}
        </span>
        {isPicture && <span className="last-id clipped mono">{content.id}</span>}
        <span className="last-revise" aria-hidden="true">
          {words.revise}
        </span>
      </button>
    </li>
  )
})

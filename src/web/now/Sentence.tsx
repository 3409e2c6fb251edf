import type { Project } from '../../protocol/project.ts'
import { enoughAnswers } from '../../text/now.ts'
import { count } from '../../text/wording.ts'
import { lookTexts, nowStateOf, unitOf, whoOf } from '../text/now.ts'
import './now.css'

/** How good the model is now, in one sentence, the same wherever it stands. `onWhy`: "surely" leads to how that is known. */
export function NowSentence({ project, onWhy }: { project: Project; onWhy: () => void }) {
  const state = nowStateOf(project)
  if (state.kind === 'none') return <>{state.words}</>
  const { value, low, high } = lookTexts(state.look)
  const about = (
    <>
      {state.kind === 'certified' ? 'The certified model' : `Right now ${whoOf(project)}`} is wrong on <b>about {value}</b> of the{' '}
      {count(state.look.points)} {unitOf(project)}{' '}
      {state.kind === 'certified' ? 'nobody had answered or been asked about' : 'nobody has answered yet'}
    </>
  )
  if (state.kind === 'early')
    return (
      <>
        {about}. Too early for a guarantee: the first range stands here at {enoughAnswers} answers.
      </>
    )
  return (
    <>
      {about},{' '}
      <button type="button" className="surely" onClick={onWhy}>
        surely
      </button>{' '}
      between <b>{low}</b> and <b>{high}</b>.
    </>
  )
}

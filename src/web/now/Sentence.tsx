import type { Project } from '../../protocol/project.ts'
import { count } from '../../text/wording.ts'
import { rich } from '../parts/rich.tsx'
import { lookTexts, nowStateOf, said, unitOf, whoOf } from '../text/now.ts'
import './now.css'

/** How good the model is now, in one sentence, the same wherever it stands. `onWhy`: "surely" leads to how that is known. */
export function NowSentence({ project, onWhy }: { project: Project; onWhy: () => void }) {
  const state = nowStateOf(project)
  if (state.kind === 'none') return <>{state.words}</>
  const { value, low, high } = lookTexts(state.look)
  const about = (
    <>
      {rich(state.kind === 'certified' ? said.certified : said.now, {
        who: whoOf(project),
        about: <b>{said.about(value)}</b>,
        rows: `${count(state.look.points)} ${unitOf(project)}`,
      })}
    </>
  )
  if (state.kind === 'early')
    return (
      <>
        {about}
        {said.early}
      </>
    )
  return (
    <>
      {about}
      {rich(said.range, {
        surely: (
          <button type="button" className="surely" onClick={onWhy}>
            {said.surely}
          </button>
        ),
        low: <b>{low}</b>,
        high: <b>{high}</b>,
      })}
    </>
  )
}

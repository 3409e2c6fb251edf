import type { Project } from '../../protocol/project.ts'
import { counted } from '../../text/wording.ts'
import { words } from '../text/label.ts'
import { stopsOf } from '../text/stops.ts'
import { answersIn } from './round.ts'
import { useLabelling } from './state.ts'

/** In the bar: answers in all, and what they have come to. */
export function GoalTrack({ project }: { project: Project }) {
  const { round } = useLabelling()
  const answers = round ? answersIn(round) : project.answers
  const stops = stopsOf(project, answers)
  const said = stops.map(({ name, share }) => `${name} ${share === 1 ? 'reached' : 'not yet'}`).join(', ')
  return (
    <div className="track">
      <b style={{ minWidth: `${counted(project.points, 'answer').length}ch` }}>{counted(answers, 'answer')}</b>
      {stops.length > 0 && (
        <span className="track-stops" role="img" aria-label={`${words.track}: ${said}`}>
          {stops.map(({ name, share }) => (
            <span key={name} className={share === 1 ? 'track-stop is-reached' : 'track-stop'}>
              <i>
                <i style={{ width: `${100 * share}%` }} />
              </i>
              <span>{name}</span>
            </span>
          ))}
        </span>
      )}
    </div>
  )
}

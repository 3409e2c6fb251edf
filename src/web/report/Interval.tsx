import { unitOf } from '../../metrics/metric-labels.ts'
import type { AskedQuestion } from '../../protocol/questions.ts'
import { pageTexts } from '../../text/shares.ts'
import { Range, scaleEnd } from '../now/Range.tsx'
import { words } from '../text/report.ts'

/** An estimate and its range in a table: numbers for all, a picture where there is room. `end`: of the scale that its column has in common. */
export function Interval({ asked, end }: { asked: AskedQuestion; end?: number }) {
  const { value, low, high, state } = asked
  if (value === null || low === null || high === null) return <span className="faint">{words.none}</span>
  const unit = unitOf(asked)
  const texts = pageTexts({ value, low, high }, { unit })
  return (
    <span className="report-interval">
      <b>{texts.value}</b>
      <span className="quiet">{state === 'known' ? words.known : `${bare(texts.low)} to ${texts.high}${texts.after}`}</span>
      {unit === 'share' && state !== 'known' && <Range look={{ value, low, high }} {...(end !== undefined && { end })} />}
    </span>
  )
}

/** "28" of "28 %": the sign is said once. */
export const bare = (text: string) => text.replace('\u00a0%', '')

/** The end of a scale that holds all of these. */
export const endOf = (asked: readonly AskedQuestion[]) => scaleEnd(Math.max(...asked.map(({ high }) => high ?? 0)))

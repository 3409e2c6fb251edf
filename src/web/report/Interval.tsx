import { unitOf } from '../../metrics/metric-labels.ts'
import type { AskedQuestion } from '../../protocol/questions.ts'
import { pageTexts } from '../../text/shares.ts'
import { Range } from '../now/Range.tsx'
import { words } from '../text/report.ts'

/** An estimate and its range in a table: numbers for all, a picture where there is room. */
export function Interval({ asked }: { asked: AskedQuestion }) {
  const { value, low, high, state } = asked
  if (value === null || low === null || high === null) return <span className="faint">{words.none}</span>
  const texts = pageTexts({ value, low, high }, { unit: unitOf(asked) })
  const isShare = unitOf(asked) === 'share'
  return (
    <span className="report-interval">
      <b>{texts.value}</b>
      <span className="quiet">{state === 'known' ? 'known' : `${texts.low} to ${texts.high}${texts.after}`}</span>
      {isShare && state !== 'known' && <Range look={{ value, low, high }} />}
    </span>
  )
}

import { judgeMetrics } from '../../metrics/catalogue.ts'
import type { AskedQuestion } from '../../protocol/questions.ts'
import type { Report } from '../../protocol/report.ts'
import { percentage } from '../../text/shares.ts'
import { Card } from '../parts/Card.tsx'
import { Rows } from '../parts/Note.tsx'
import { gapOf, judgeUses, judgeWords } from '../text/report.ts'
import { Interval } from './Interval.tsx'

/** What the verdicts of a judge are good for: how often it agrees with people, and whether its own number may be used. */
export function JudgeCard({ questions, report }: { questions: readonly AskedQuestion[]; report: Report }) {
  const of = (metric: AskedQuestion['metric']) => questions.find((asked) => asked.metric === metric && !asked.slice)
  const [rate, passing, failing, agreement] = judgeMetrics.map(of)
  const passed = report.classes.find(({ name }) => name === rate?.positive)?.predicted
  if (!rate || passed === undefined || rate.low === null || rate.high === null) return null
  const own = passed / rate.points
  return (
    <Card
      title={judgeWords.title}
      note={`${judgeWords.says(percentage(own))} ${gapOf(own, { low: rate.low, high: rate.high }) ?? judgeWords.within}`}
      className="report-card"
    >
      <Rows
        rows={[
          ...(passing ? [[judgeWords.passes, <Interval key="passes" asked={passing} />] as const] : []),
          ...(failing ? [[judgeWords.fails, <Interval key="fails" asked={failing} />] as const] : []),
          ...(agreement ? [[judgeWords.agreement, <Interval key="agreement" asked={agreement} />] as const] : []),
        ]}
      />
      {passing && failing && (
        <>
          <h3>{judgeWords.note}</h3>
          <Rows rows={judgeUses(own, rate, passing, failing)} />
        </>
      )}
      <p className="caption">{judgeWords.change}</p>
    </Card>
  )
}

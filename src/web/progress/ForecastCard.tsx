import type { Project } from '../../protocol/project.ts'
import { plusMinus } from '../../text/shares.ts'
import { rounded } from '../../text/wording.ts'
import { Card } from '../parts/Card.tsx'
import { Rows } from '../parts/Rows.tsx'
import { Link } from '../shell/routes.tsx'

/** The one people most likely want: a tolerance of 2 %, or the one nearest to it. */
function headOf(forecast: NonNullable<Project['forecast']>) {
  return forecast.toSorted((a, b) => Math.abs(a.tolerance - 0.02) - Math.abs(b.tolerance - 0.02))[0]
}

export function ForecastCard({ forecast = [] }: { forecast: Project['forecast'] }) {
  const head = headOf(forecast)
  return (
    <Card title="Forecast">
      {head ? (
        <>
          <p className="big">
            About {rounded(head.answers, 2)} more answers to {plusMinus(head.tolerance)}
            <small>to certify the model as it is now</small>
          </p>
          <Rows rows={forecast.map(({ tolerance, answers }) => [plusMinus(tolerance), `about ${rounded(answers, 2)}`])} />
        </>
      ) : (
        <p className="lede">A forecast needs a model. It appears when there is one.</p>
      )}
      <p className="caption at-foot">
        From the model’s own confidence. A plan, not a promise: the interval holds whatever the number turns out to be.
      </p>
      <Link className="button" to="/certify">
        Certify this model
      </Link>
    </Card>
  )
}

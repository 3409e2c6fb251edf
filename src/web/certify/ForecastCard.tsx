import type { Forecast, Goal } from '../../protocol/project.ts'
import { pageTexts } from '../../text/shares.ts'
import { count } from '../../text/wording.ts'
import { Card } from '../parts/Card.tsx'
import { PlotFigure } from '../plots/PlotFigure.tsx'
import { words } from '../text/certify.ts'
import { sayForecast } from '../text/plots.ts'

interface Props {
  goal: Pick<Goal, 'tolerance' | 'below'> | undefined
  forecast: Forecast | undefined
}

/** About how many answers, and how the interval is expected to narrow on the way. */
export function ForecastCard({ goal, forecast }: Props) {
  const rows = forecast?.curve.map(rowOf) ?? []
  return (
    <Card title={words.forecast} note={words.forecastNote} className="certify-forecast">
      {forecast && goal && (
        <>
          <p className="big" aria-live="polite">
            {forecast.answers === undefined ? words.outOfReach : words.aboutAnswers(forecast.answers)}
            <small>{rangeOf(forecast)}</small>
          </p>
          <PlotFigure
            label={sayForecast(goal, forecast.answers)}
            height={262}
            narrowHeight={236}
            draw={(draw, size) => draw.forecast({ asked: goal, ...forecast }, size)}
            isFoot
            table={{ of: words.forecastNote, columns: ['Answers', 'From', 'To'], rows }}
            caption={words.forecastCaption}
          />
        </>
      )}
    </Card>
  )
}

function rowOf({ answers, ...limits }: Forecast['curve'][number]): string[] {
  const { low, high } = pageTexts({ value: limits.low, ...limits }, { decimals: 1 })
  return [count(answers), low, high]
}

function rangeOf({ answers, low, high }: Forecast): string {
  if (answers === undefined) return words.outOfReachWhy
  if (low === undefined || high === undefined) return ''
  return words.usually(low, high)
}

import { percentage } from '../../text/shares.ts'
import { count } from '../../text/wording.ts'
import type { ForecastData } from './drawings/forecast.ts'
import { PlotFigure } from './PlotFigure.tsx'
import { sayForecast } from './sentences.ts'

/** How the interval is expected to narrow. */
export function ForecastPlot({ data, caption }: { data: ForecastData; caption: string }) {
  const rows = data.curve.map(({ answers, low, high }) => [count(answers), percentage(low, 1), percentage(high, 1)])
  return (
    <PlotFigure
      label={sayForecast(data.asked, data.answers)}
      height={262}
      narrowHeight={236}
      draw={(draw, size) => draw.forecast(data, size)}
      caption={caption}
      isFoot
      table={{ of: 'Expected interval by number of answers', columns: ['Answers', 'From', 'To'], rows }}
    />
  )
}

import { count } from '../parts/numbers.ts'
import type { ForecastData } from './drawings/forecast.ts'
import { PlotFrame } from './PlotFrame.tsx'
import { share } from './precision.ts'
import { sayForecast } from './sentences.ts'
import { TableView } from './TableView.tsx'

/** How the interval is expected to narrow. */
export function ForecastPlot({ data, caption }: { data: ForecastData; caption: string }) {
  return (
    <figure className="plot-figure">
      <PlotFrame
        label={sayForecast(data.asked, data.answers)}
        height={262}
        narrowHeight={236}
        draw={(draw, size) => draw.forecast(data, size)}
      />
      <figcaption className="plot-foot">{caption}</figcaption>
      <TableView
        caption="Expected interval by number of answers"
        columns={['Answers', 'From', 'To']}
        rows={data.curve.map(({ answers, low, high }) => [count(answers), share(low, 1), share(high, 1)])}
      />
    </figure>
  )
}

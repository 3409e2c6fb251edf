import { count } from '../parts/numbers.ts'
import type { FunnelData } from './drawings/funnel.ts'
import { PlotFrame } from './PlotFrame.tsx'
import { share, valueText } from './precision.ts'
import { sayFunnel } from './sentences.ts'
import { TableView } from './TableView.tsx'

interface Props extends FunnelData {
  caption: string
}

/** One model, one interval that narrows. Needs at least one step. */
export function Funnel({ steps, asked, more, caption }: Props) {
  const data = { steps, asked, more }
  return (
    <figure className="plot-figure">
      <PlotFrame label={sayFunnel(steps, asked)} height={262} narrowHeight={236} draw={(draw, size) => draw.funnel(data, size)} />
      <figcaption>{caption}</figcaption>
      <TableView
        caption="The interval by number of answers"
        columns={['Answers', 'Estimate', 'From', 'To']}
        rows={steps.map((step) => [count(step.answers), valueText(step), share(step.low, 1), share(step.high, 1)])}
      />
    </figure>
  )
}

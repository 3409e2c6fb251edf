import type { Audit } from '../../protocol/project.ts'
import { percentage, valueText } from '../../text/shares.ts'
import { count } from '../../text/wording.ts'
import type { FunnelData } from './drawings/funnel.ts'
import type { FunnelStep } from './drawings/scales.ts'
import { PlotFigure } from './PlotFigure.tsx'
import { sayFunnel } from './sentences.ts'

/** What is known of an audit. */
export function funnelOf({ steps, goal, forecast }: Audit): FunnelData {
  return { steps, asked: goal, more: forecast?.answers }
}

/** One model, one interval that narrows. Needs at least one step. */
export function Funnel({ data, caption }: { data: FunnelData; caption: string }) {
  const { steps, asked } = data
  return (
    <PlotFigure
      label={sayFunnel(steps, asked)}
      height={262}
      narrowHeight={236}
      draw={(draw, size) => draw.funnel(data, size)}
      caption={caption}
      table={{
        of: 'The interval by number of answers',
        columns: ['Answers', 'Estimate', 'From', 'To'],
        rows: steps.map(rowOf),
      }}
    />
  )
}

function rowOf(step: FunnelStep): string[] {
  return [count(step.answers), valueText(step), percentage(step.low, 1), percentage(step.high, 1)]
}

import type { Audit } from '../../protocol/project.ts'
import { type Unit, withDecimals } from '../../text/limits.ts'
import { pageTexts } from '../../text/shares.ts'
import { count } from '../../text/wording.ts'
import { sayFunnel } from '../text/plots.ts'
import type { FunnelData } from './drawings/funnel.ts'
import type { FunnelStep } from './drawings/scales.ts'
import { PlotFigure } from './PlotFigure.tsx'

/** What is known of an audit. */
export function funnelOf({ steps, goal, forecast }: Audit, unit: Unit): FunnelData {
  return { steps, asked: goal, more: forecast?.answers, unit }
}

/** One model, one interval that narrows. Needs at least one step. */
export function Funnel({ data, caption }: { data: FunnelData; caption: string }) {
  const { steps, asked, unit } = data
  return (
    <PlotFigure
      label={sayFunnel(steps, asked, unit)}
      height={262}
      narrowHeight={236}
      draw={(draw, size) => draw.funnel(data, size)}
      caption={caption}
      table={{
        of: 'The interval by number of answers',
        columns: ['Answers', 'Estimate', 'From', 'To'],
        rows: steps.map((step) => rowOf(step, unit)),
      }}
    />
  )
}

function rowOf(step: FunnelStep, unit: Unit): string[] {
  const { value, low, high } = pageTexts(step, withDecimals(step, unit))
  return [count(step.answers), value, low, high]
}

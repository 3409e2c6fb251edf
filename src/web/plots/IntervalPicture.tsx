import { rangeText, valueText } from '../../text/shares.ts'
import type { MeasuredInterval } from './drawings/scales.ts'
import { PlotFigure } from './PlotFigure.tsx'

interface Props {
  measured: MeasuredInterval
  /** What the scale is of: "Share of points labelled wrongly". */
  scale: string
  level: string
}

/** The interval of a certificate, large. Its numbers stand below it as text, so it needs no table. */
export function IntervalPicture({ measured, scale, level }: Props) {
  return (
    <PlotFigure
      label={`${scale}. Interval from ${rangeText(measured)}, estimate ${valueText(measured)}.`}
      height={112}
      draw={(draw, size) => draw.intervalPicture(measured, size)}
      caption={
        <>
          {scale}. The dot is the best single estimate, the band the {level} interval.
        </>
      }
    />
  )
}

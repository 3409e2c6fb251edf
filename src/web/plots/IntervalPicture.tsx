import type { Measured } from './drawings/interval-picture.ts'
import { PlotFrame } from './PlotFrame.tsx'
import { rangeText, valueText } from './precision.ts'

interface Props {
  measured: Measured
  /** What the scale is of: "Share of points labelled wrongly". */
  scale: string
  level: string
}

/** The interval of a certificate, large. Its numbers stand below it as text, so it needs no table. */
export function IntervalPicture({ measured, scale, level }: Props) {
  const label = `${scale}. Interval from ${rangeText(measured)}, estimate ${valueText(measured)}.`
  return (
    <figure className="plot-figure">
      <PlotFrame label={label} height={112} draw={(draw, size) => draw.intervalPicture(measured, size)} />
      <figcaption>
        {scale}. The dot is the best single estimate, the band the {level} interval.
      </figcaption>
    </figure>
  )
}

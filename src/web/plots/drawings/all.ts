import { bars } from './bars.ts'
import { forecast } from './forecast.ts'
import { funnel } from './funnel.ts'
import { intervalPicture } from './interval-picture.ts'
import { roundIntervals } from './round-intervals.ts'
import { weights } from './weights.ts'

/** The half of the plots that needs Observable Plot: loaded when the first of them is shown, never while labelling. */
export const drawings = { bars, forecast, funnel, intervalPicture, roundIntervals, weights }

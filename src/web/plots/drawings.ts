import { bars } from './drawings/bars.ts'
import { forecast } from './drawings/forecast.ts'
import { funnel } from './drawings/funnel.ts'
import { intervalPicture } from './drawings/interval-picture.ts'
import { roundIntervals } from './drawings/round-intervals.ts'
import { weights } from './drawings/weights.ts'

/** The half of the plots that needs Observable Plot: loaded when the first of them is shown, never while labelling. */
export const drawings = { bars, forecast, funnel, intervalPicture, roundIntervals, weights }

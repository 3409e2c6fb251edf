export interface Size {
  readonly width: number
  readonly height: number
}

/** Below this width a plot keeps its marks and gives up words. */
export const narrow = 440

/** Below this there is no room between the margins, and nothing is drawn: a place that is just opening, or closing. */
export const least = 160

import type { Look } from '../../protocol/now.ts'
import { isTooEarly } from '../../text/now.ts'
import { countTicks, type Scale, type Size, scaleOver } from '../plots/drawings/scales.ts'

export interface BandLayout {
  readonly scale: Scale
  /** Counts of answers along the foot. */
  readonly ticks: readonly number[]
  /** Places in the picture. */
  x(answers: number): number
  y(share: number): number
  readonly edges: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }
  /** Looks whose ranges are worth showing. */
  readonly ranged: readonly Look[]
}

const leastTop = 0.25

/** Where everything of a band lies. The first ranges may reach out of the picture: a scale that showed them whole would hide the newest. */
export function bandLayout(looks: readonly Look[], { width, height }: Size, isSmall: boolean, budget = 0): BandLayout {
  const ranged = looks.filter(({ counted }) => !isTooEarly({ answers: counted }))
  const newest = looks.at(-1)
  const widest = Math.max(leastTop, ...looks.map(({ value }) => value), ...ranged.map(({ high }) => high))
  const scale = scaleOver(0, Math.min(widest, Math.max(leastTop, 3 * (ranged.at(-1)?.high ?? 1))), isSmall ? 2 : 5)
  const answers = newest?.answers ?? 0
  const end = Math.max(100, 1.06 * answers, Math.min(budget, isSmall ? 0 : 2 * answers))
  const edges = { left: isSmall ? 40 : 48, right: width - (isSmall ? 12 : 74), top: 14, bottom: height - (isSmall ? 24 : 30) }
  const { left, right, top, bottom } = edges
  return {
    scale,
    ticks: countTicks(end, Math.max(2, Math.floor((right - left) / 90))),
    x: (n) => left + ((right - left) * n) / end,
    y: (share) => bottom - ((bottom - top) * share) / scale.high,
    edges,
    ranged,
  }
}

/** The look that is nearest to a place in the picture. */
export function nearest(looks: readonly Look[], place: number, x: (answers: number) => number): number {
  const away = looks.map(({ answers }) => Math.abs(x(answers) - place))
  return away.indexOf(Math.min(...away))
}

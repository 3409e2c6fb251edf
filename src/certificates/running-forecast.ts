import { clip } from '../core/numbers.ts'

/** Limits after so many answers. */
export interface WidthSoFar {
  readonly answers: number
  readonly low: number
  readonly high: number
}

/** About how many more answers: most of the time between the two. */
export interface AnswersToGo {
  readonly low: number
  readonly high: number
}

/** How fast limits narrow: half-width ∝ answers^−power, of an endless pool. Where learning is easy they are fast. Fitted to runs on three sets. */
const usual = { power: 0.85, spread: 0.25 }
/** By how much limits jump from one look to the next. */
const jump = 0.1

const halfWidth = ({ low, high }: WidthSoFar) => (high - low) / 2

/**
 * A guess at how many more answers bring the running limits to ± `tolerance`: they go on narrowing as they have, or as those of other runs did.
 * Undefined where they are as narrow already, or where there is nothing to go by. `looks`: of which limits were worth saying, oldest first;
 * `points`: of the pool. The last points of a pool say most.   @see docs/equations.md#running-forecast
 */
export function answersToHalfWidth(looks: readonly WidthSoFar[], tolerance: number, points: number): AnswersToGo | undefined {
  const newest = looks.at(-1)
  if (!newest || halfWidth(newest) <= tolerance || newest.answers >= points) return undefined
  const worth = (answers: number) => (answers * points) / (points - answers)
  const { power, spread } = paceOf(looks.map((look) => ({ worth: worth(look.answers), half: halfWidth(look) })))
  const needed = (slope: number, by: number) => {
    const goal = worth(newest.answers) * Math.max(1, (by * halfWidth(newest)) / tolerance) ** (1 / slope)
    return Math.ceil((goal * points) / (goal + points)) - newest.answers
  }
  return { low: needed(power + spread, 1 - jump), high: needed(Math.max(power - spread, 0.25), 1 + jump) }
}

/** The power by which limits have narrowed, drawn towards what is usual, and how far off it may be. */
function paceOf(looks: readonly { readonly worth: number; readonly half: number }[]): typeof usual {
  const points = looks.filter(({ half }) => half > 0).map(({ worth, half }) => [Math.log2(worth), Math.log2(half)] as const)
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const square = points.reduce((sum, [a]) => sum + (a - x) ** 2, 0)
  const product = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0)
  if (square === 0) return usual
  const doublings = points.at(-1)![0] - points[0]![0] // how much a run says of itself
  const own = clip(-product / square, 0.3, 1.5)
  return { power: (usual.power + doublings * own) / (1 + doublings), spread: usual.spread / Math.sqrt(1 + doublings / 2) }
}

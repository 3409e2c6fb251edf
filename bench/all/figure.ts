/** What people wait for, as a ratio to something measured in the same run, or in seconds. */
export interface Figure {
  readonly what: string
  /** What it is beside. */
  readonly beside: string
  readonly unit: '×' | 's'
  /** Undefined where it cannot be measured here. */
  readonly found: number | undefined
  readonly goal: number
  /** Whether more is better. Default: less is. */
  readonly isLeast?: boolean
}

/** What was found over the goal: 1 or less where it is met. */
export const shareOf = ({ found, goal, isLeast = false }: Figure): number | undefined =>
  found === undefined ? undefined : isLeast ? goal / found : found / goal

const written = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: value < 10 ? 2 : 3 })

export function cellsOf(figure: Figure): string[] {
  const { what, beside, unit, found, goal, isLeast } = figure
  const share = shareOf(figure)
  const met = share === undefined ? 'not measured' : share <= 1 ? 'met' : `missed: ${written(share)} times`
  const cell = (value: number) => `${written(value)} ${unit}`
  return [what, beside, found === undefined ? '' : cell(found), `${isLeast ? '≥' : '≤'} ${cell(goal)}`, met]
}

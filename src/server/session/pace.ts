import type { View } from '../../protocol/points.ts'

const remembered = 200 // the newest answers tell
const enough = 20
const least = 250 // ms: what comes faster was sent together, by a page that had been offline or by a program

/** Seconds that an answer takes before people have shown it. */
const usual: Readonly<Record<View['kind'], number>> = { text: 10, row: 10, image: 5, bitmap: 5 }

/** How fast people answer, all of them together. `times`: of answers so far, in ms. */
export function paceKeeper(times: readonly number[] = []) {
  let last: number | undefined
  let pauses: number[] = []

  function heard(time: number): void {
    const pause = last === undefined ? 0 : time - last
    last = time
    if (pause >= least) pauses = [...pauses, pause].slice(-remembered)
  }
  for (const time of times.slice(-remembered - 1)) heard(time)

  return {
    heard,
    /** Seconds between two answers: the median, which no break disturbs. */
    seconds(kind: View['kind']): number {
      if (pauses.length < enough) return usual[kind]
      return pauses.toSorted((a, b) => a - b)[Math.floor(pauses.length / 2)]! / 1000
    },
  }
}

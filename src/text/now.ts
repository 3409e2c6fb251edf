import { betweenText, intervalTexts } from './limits.ts'
import { count, counted } from './wording.ts'

/** Fewer answers allow no guarantee that is of use: limits are close to 0 and to 100 %. */
export const enoughAnswers = 100

interface Said {
  readonly value: number
  readonly low: number
  readonly high: number
  readonly answers: number
  readonly points: number
}

export const isTooEarly = ({ answers }: Pick<Said, 'answers'>): boolean => answers < enoughAnswers

/** "wrong on about 6 % of the 4,068 points nobody has answered yet, surely between 2 % and 14 %" */
export function nowWords(now: Said): string {
  const where = `of the ${counted(now.points, 'point')} nobody has answered yet`
  const { value } = intervalTexts(now)
  if (!isTooEarly(now)) return `wrong on about ${value} ${where}, surely ${betweenText(now)}`
  return `wrong on about ${value} ${where}; too early for a guarantee, which takes ${count(enoughAnswers)} answers`
}

/** What "surely" means, of an interval at some level: "missed at most 5 times in 100, however often you look". */
export function surelyMeans(level: number): string {
  const misses = Number((100 * (1 - level)).toPrecision(6))
  return `missed at most ${counted(misses, 'time')} in 100, however often you look`
}

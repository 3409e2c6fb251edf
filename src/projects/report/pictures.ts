import { unitOf } from '../../metrics/metric-labels.ts'
import type { AskedAnswer } from '../../questions/ask.ts'
import { escapeHtml } from '../../text/html.ts'
import { betweenText, estimateText, withDecimals } from '../../text/limits.ts'
import { ticksWithin } from '../../text/ticks.ts'
import { count, percent } from '../../text/wording.ts'
import type { PathStep } from './report.ts'

/** A range on its scale, with the estimate as a dot; nothing where there are no numbers. */
export function intervalPicture(
  { question, value, low: ownLow, high: ownHigh }: AskedAnswer,
  { low, high }: { readonly low: number | null; readonly high: number | null } = { low: ownLow, high: ownHigh },
): string {
  if (value === null || low === null || high === null || unitOf(question) !== 'share') return ''
  const x = (share: number) => (4 + 112 * Math.min(1, Math.max(0, share))).toFixed(1)
  return `<svg class="interval" viewBox="0 0 120 16" aria-hidden="true"><line x1="4" x2="116" y1="8" y2="8" class="axis"/><line x1="${x(low)}" x2="${x(high)}" y1="8" y2="8" class="bar"/><line x1="${x(low)}" x2="${x(low)}" y1="4" y2="12" class="cap"/><line x1="${x(high)}" x2="${x(high)}" y1="4" y2="12" class="cap"/><circle cx="${x(value)}" cy="8" r="3.5" class="dot"/></svg>`
}

const width = 720
const height = 220
const left = 52

/** The interval of a question closing in on its estimate, answer by answer. */
export function bandPicture(path: readonly PathStep[], { question }: Pick<AskedAnswer, 'question'>): string {
  const last = path.at(-1)!
  // The first answers leave everything open; a scale that shows them would hide the end.
  const middle = path[Math.floor(path.length / 3)]!
  const most = last.value + 1.2 * Math.max(middle.high - last.value, last.high - last.value)
  const least = last.value - 1.2 * Math.max(last.value - middle.low, last.value - last.low)
  const isShare = unitOf(question) === 'share'
  const [bottom, top] = isShare ? [Math.max(0, least), Math.min(1, most)] : [least, most]
  const scale = top > bottom ? top - bottom : 1
  const x = (answers: number) => left + ((width - left) * answers) / Math.max(1, last.answers)
  const y = (value: number) => height - (height * (Math.min(top, Math.max(bottom, value)) - bottom)) / scale
  const line = (points: readonly (readonly [number, number])[]) =>
    points.map(([answers, value]) => `${x(answers).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
  const band = [
    ...path.map(({ answers, high }) => [answers, high] as const),
    ...path.toReversed().map(({ answers, low }) => [answers, low] as const),
  ]
  const writing = withDecimals(last, unitOf(question))
  const tick = (value: number) => (isShare ? percent(value, 0) : String(Number(value.toFixed(3))))
  const ticks = ticksWithin(bottom, top, 4).map(
    (value) =>
      `<line x1="${left}" x2="${width}" y1="${y(value)}" y2="${y(value)}" class="grid"/><text x="${left - 8}" y="${y(value) + 4}" text-anchor="end">${tick(value)}</text>`,
  )
  const summary = `After ${count(last.answers)} answers it lies ${betweenText(last, writing)}; best estimate ${estimateText(last.value, last, writing)}.`
  return `<figure><svg class="band" viewBox="0 -10 ${width} ${height + 45}" role="img" aria-label="${escapeHtml(summary)}">
${ticks.join('\n')}
<polygon points="${line(band)}" class="area"/>
<polyline points="${line(path.map(({ answers, value }) => [answers, value]))}" class="line"/>
<text x="${left}" y="${height + 24}">0</text>
<text x="${width}" y="${height + 24}" text-anchor="end">${count(last.answers)} answers</text>
</svg><figcaption>${escapeHtml(summary)}</figcaption></figure>`
}

import { type Markish, ruleX, text } from '@observablehq/plot'
import { type Limits, limitTexts } from '../../../text/limits.ts'
import { valueText } from '../../../text/shares.ts'
import { count } from '../../../text/wording.ts'
import { below, dotted, drawn, faint, halo, ink, itself, quiet, shareAxis, whiskers } from './frame.ts'
import { type MeasuredMark, printedNumbers, type RoundMark, type Rounds, roundScale, strideOf, windowOf } from './rounds.ts'
import { narrow, type Size } from './scales.ts'

/** One whisker a round, never joined: each is about another model. */
export function roundIntervals(rounds: Rounds, size: Size): SVGSVGElement {
  const isNarrow = size.width < narrow
  const left = isNarrow ? 44 : 96
  const room = size.width - left
  const { marks, measured, first, last } = windowOf(rounds, Math.floor(room / 28), isNarrow)
  const step = room / (last - first + 1)
  const scale = roundScale(measured, isNarrow ? 3 : 6)
  const margins = [14, 0, isNarrow ? 30 : 52, left] as const
  return drawn({ size, margins, x: [first - 0.5, last + 0.5], y: [scale.low, scale.high] }, [
    shareAxis(scale),
    whiskers(measured.map(({ number, value, low, high }) => ({ x: number, value, low, high }))),
    values(measured, step),
    asides(rounds, marks, { last, step, top: scale.high, isNarrow }),
    isNarrow ? shortNumbers(rounds, first, last, step) : numbers(marks, first, last, step),
  ])
}

/** What the dots say; where they stand close, the newest only. */
function values(measured: readonly MeasuredMark[], step: number): Markish[] {
  const isRoomy = step >= 54
  const newest = measured.slice(-1)
  const beside = { dx: 12, textAnchor: 'start', ...halo } as const
  const atDot = { ...beside, x: 'number', y: 'value', text: (mark: MeasuredMark) => valueText(mark) } as const
  const ends = newest.flatMap(({ number, low, high }) => (low === null || high === null ? [] : endsOf(number, { low, high })))
  return [
    text(isRoomy ? measured.slice(0, -1) : [], { ...atDot, fill: quiet }),
    text(newest, { ...atDot, fill: ink, fontWeight: 600 }),
    text(isRoomy ? ends : [], { ...beside, x: 'number', y: 'y', text: 'words', fill: faint }),
  ]
}

/** Both limits in whole percents, without the sign. */
function endsOf(number: number, limits: Limits) {
  const texts = limitTexts(limits, { decimals: 0 })
  return (['low', 'high'] as const).map((end) => ({ number, y: limits[end], words: texts[end].replace(' %', '') }))
}

/** Why a round has no whisker: there was no model, it is open, it is not drawn yet. */
function asides(
  { open }: Rounds,
  marks: readonly RoundMark[],
  at: { last: number; step: number; top: number; isNarrow: boolean },
): Markish[] {
  const { last, step, top, isNarrow } = at
  const low = { y: top * 0.03, lineAnchor: 'bottom', lineHeight: 1.15, fill: faint, ...halo } as const
  const next = (open?.number ?? marks.at(-1)?.number ?? 0) + 1
  const silent = marks.filter(({ value }) => value === undefined)
  return [
    text(step >= 50 ? silent : [], { x: 'number', text: 'why', ...low }),
    ruleX(open ? [open] : [], { ...dotted, x: 'number', y1: top * 0.03, y2: top * 0.5 }),
    text(open && step >= 50 && !isNarrow ? [open] : [], {
      ...low,
      x: 'number',
      y: top * 0.53,
      text: ({ size }) => `open,\n${size} drawn`,
    }),
    text(step * (last - next + 1) >= 90 ? [(next + last) / 2] : [], { ...low, x: itself, text: () => 'not drawn yet' }),
  ]
}

function numbers(marks: readonly RoundMark[], first: number, last: number, step: number): Markish[] {
  const newest = marks.at(-1)?.number ?? last
  const all = printedNumbers(first, last, strideOf(step, 36), newest)
  const learned = marks.filter(({ number, learnedFrom }) => learnedFrom > 0 && all.includes(number))
  const inside = (from: number, to: number) => all.filter((number) => number > from && number <= to)
  const row = { ...below, x: itself, text: String, dy: 10 } as const
  const words = { frameAnchor: 'bottom-left', lineAnchor: 'top', textAnchor: 'start', dx: -96, fill: faint } as const
  return [
    text(inside(0, newest + 1), { ...row, fill: quiet }),
    text(inside(newest + 1, last), { ...row, fill: faint }),
    text(learned, { ...below, x: 'number', text: ({ learnedFrom }) => count(learnedFrom), dy: 28, fill: faint }),
    text(['Round'], { ...words, dy: 10 }),
    text(['Learned from'], { ...words, dy: 28 }),
  ]
}

function shortNumbers({ open }: Rounds, first: number, last: number, step: number): Markish {
  const stride = strideOf(step, 30)
  const all = printedNumbers(first, last, stride)
  const name = (number: number) => (number === open?.number && step >= 44 ? `${number} open` : `${number}`)
  const words = (number: number) => (number === all[0] && stride * step >= 50 ? `round ${name(number)}` : name(number))
  return text(all, { ...below, x: itself, text: words, dy: 10, fill: quiet })
}

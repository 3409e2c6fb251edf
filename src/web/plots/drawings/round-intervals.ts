import { type Markish, ruleX, text } from '@observablehq/plot'
import { valueText } from '../precision.ts'
import { type RoundMark, type Rounds, strideOf, windowOf } from '../rounds.ts'
import { narrow, type Size } from '../size.ts'
import { scaleOver } from '../ticks.ts'
import { drawn, edge, faint, halo, ink, quiet, shareAxis, whiskers } from './frame.ts'

/** One whisker a round, never joined: each is about another model. */
export function roundIntervals(rounds: Rounds, { width, height }: Size): SVGSVGElement {
  const isNarrow = width < narrow
  const left = isNarrow ? 44 : 96
  const room = width - left
  const { marks, first, last } = windowOf(rounds, Math.floor(room / 28), isNarrow)
  const step = room / (last - first + 1)
  const measured = marks.flatMap((mark) => (mark.value === undefined ? [] : [{ ...mark, value: mark.value }]))
  const scale = scaleOver(0, Math.max(0.05, ...measured.map(({ value, high }) => high ?? value)), isNarrow ? 3 : 6)
  return drawn({
    width,
    height,
    marginLeft: left,
    marginRight: 0,
    marginTop: 14,
    marginBottom: isNarrow ? 30 : 52,
    x: { domain: [first - 0.5, last + 0.5], axis: null },
    y: { domain: [scale.low, scale.high], axis: null },
    marks: [
      shareAxis(scale),
      whiskers(measured.map(({ number, value, low, high }) => ({ x: number, value, low, high }))),
      values(measured, step),
      asides(rounds, marks, { last, step, top: scale.high, isNarrow }),
      isNarrow ? shortNumbers(rounds, first, last, step) : numbers(marks, first, last, step),
    ],
  })
}

type Measured = RoundMark & { readonly value: number }

/** What the dots say; where they stand close, the newest only. */
function values(measured: readonly Measured[], step: number): Markish[] {
  const isRoomy = step >= 54
  const newest = measured.slice(-1)
  const beside = { dx: 12, textAnchor: 'start', ...halo } as const
  const atDot = { ...beside, x: 'number', y: 'value', text: valueText } as const
  const ends = newest.flatMap(({ number, low, high }) =>
    low === null || high === null ? [] : [low, high].map((y) => ({ number, y })),
  )
  return [
    text(isRoomy ? measured.slice(0, -1) : [], { ...atDot, fill: quiet }),
    text(newest, { ...atDot, fill: ink, fontWeight: 600 }),
    text(isRoomy ? ends : [], { ...beside, x: 'number', y: 'y', text: ({ y }) => (100 * y).toFixed(0), fill: faint }),
  ]
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
    ruleX(open ? [open] : [], {
      x: 'number',
      y1: top * 0.03,
      y2: top * 0.5,
      stroke: edge,
      strokeWidth: 1.25,
      strokeDasharray: '2 4',
    }),
    text(open && step >= 50 && !isNarrow ? [open] : [], {
      x: 'number',
      text: ({ size }) => `open,\n${size} drawn`,
      ...low,
      y: top * 0.53,
    }),
    text(step * (last - next + 1) >= 90 ? [(next + last) / 2] : [], { x: (x: number) => x, text: () => 'not drawn yet', ...low }),
  ]
}

const below = { frameAnchor: 'bottom', lineAnchor: 'top' } as const

function numbers(marks: readonly RoundMark[], first: number, last: number, step: number): Markish[] {
  const stride = strideOf(step, 36)
  const newest = marks.at(-1)?.number ?? last
  const isPrinted = (number: number) => (number - newest) % stride === 0
  const all = Array.from({ length: last - first + 1 }, (_, i) => first + i).filter(isPrinted)
  const learned = marks.filter(({ number, learnedFrom }) => learnedFrom > 0 && isPrinted(number))
  const words = { frameAnchor: 'bottom-left', lineAnchor: 'top', textAnchor: 'start', dx: -96, fill: faint } as const
  return [
    text(
      all.filter((number) => number <= newest + 1),
      { ...below, x: (x: number) => x, text: String, dy: 10, fill: quiet },
    ),
    text(
      all.filter((number) => number > newest + 1),
      { ...below, x: (x: number) => x, text: String, dy: 10, fill: faint },
    ),
    text(learned, { ...below, x: 'number', text: ({ learnedFrom }) => learnedFrom.toLocaleString('en'), dy: 28, fill: faint }),
    text(['Round'], { ...words, dy: 10 }),
    text(['Learned from'], { ...words, dy: 28 }),
  ]
}

function shortNumbers({ open }: Rounds, first: number, last: number, step: number): Markish[] {
  const stride = strideOf(step, 30)
  const all = Array.from({ length: last - first + 1 }, (_, i) => first + i).filter((number) => (last - number) % stride === 0)
  const name = (number: number) => (number === open?.number && step >= 44 ? `${number} open` : `${number}`)
  return [
    text(all, {
      ...below,
      x: (x: number) => x,
      text: (number: number) => (number === all[0] && stride * step >= 50 ? `round ${name(number)}` : name(number)),
      dy: 10,
      fill: quiet,
    }),
  ]
}

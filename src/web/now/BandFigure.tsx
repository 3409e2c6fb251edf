import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import type { Look } from '../../protocol/now.ts'
import { isTooEarly } from '../../text/now.ts'
import { count, counted } from '../../text/wording.ts'
import { least, narrow } from '../plots/drawings/scales.ts'
import { PlotTable, useWidth } from '../plots/PlotFigure.tsx'
import { words as labelWords } from '../text/label.ts'
import { lookTexts, lookWords } from '../text/now.ts'
import { Band } from './Band.tsx'
import { bandLayout, nearest } from './band-layout.ts'

interface Props {
  looks: readonly Look[]
  budget: number
  caption: ReactNode
}

/** The band with all its looks, each of which can be read: under the pointer, or by arrow keys. */
export function BandFigure({ looks, budget, caption }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const [chosen, setChosen] = useState<number>()
  const isNarrow = width < narrow
  const size = { width, height: isNarrow ? 236 : 292 }
  const newest = looks.length - 1
  const at = Math.min(chosen ?? newest, newest)
  const read = looks[at]!

  function point({ clientX, currentTarget }: PointerEvent<HTMLDivElement>) {
    const { x } = bandLayout(looks, size, isNarrow, budget)
    setChosen(nearest(looks, clientX - currentTarget.getBoundingClientRect().left, x))
  }
  function step(event: KeyboardEvent) {
    const next = steps[event.key]?.(at, newest)
    if (next === undefined) return
    event.preventDefault()
    setChosen(Math.min(newest, Math.max(0, next)))
  }

  return (
    <figure className="plot-figure">
      <div
        className="plot-box band-box"
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={labelWords.plot}
        aria-valuemin={looks[0]!.answers}
        aria-valuemax={looks[newest]!.answers}
        aria-valuenow={read.answers}
        aria-valuetext={readText(read)}
        style={{ minHeight: size.height }}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setChosen(undefined)}
        onKeyDown={step}
        onBlur={() => setChosen(undefined)}
      >
        {width >= least && <Band looks={looks} size={size} isSmall={isNarrow} budget={budget} read={looks[at]} />}
      </div>
      <p className="band-said small quiet" aria-hidden="true">
        {readText(read)}
      </p>
      <figcaption className="caption">{caption}</figcaption>
      <PlotTable
        of="What was known of the model, by answers"
        columns={['Answers', 'About', 'Surely between', 'Not answered']}
        rows={looks.map(rowOf)}
      />
    </figure>
  )
}

const steps: Readonly<Record<string, (at: number, newest: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  Home: () => 0,
  End: (_, newest) => newest,
}

function readText(look: Look): string {
  return `${counted(look.answers, 'answer')}: ${lookWords(look)}${look.isRevised ? '. An answer it rests on was changed since' : ''}.`
}

function rowOf(look: Look): string[] {
  const { value, low, high } = lookTexts(look)
  const range = isTooEarly({ answers: look.counted }) ? 'too early' : `${low} and ${high}`
  return [count(look.answers), value, look.isRevised ? `${range}, an answer changed since` : range, count(look.points)]
}

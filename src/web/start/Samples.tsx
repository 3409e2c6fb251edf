import type { ReactNode } from 'react'
import { Range } from '../now/Range.tsx'
import { Bitmap } from '../parts/Point.tsx'
import { type SampleName, sampleWords, startWords } from '../text/start.ts'
import { parts } from '../text/start-parts.ts'

/** Three of the digits, as ink from 0 to 16. */
const digits = [
  '005d910000dfaf5003f20b8004c008800580098004b01c7002e5ac00006da000',
  '000cd500000bg900003fg60007fgg200001gg300001gg600001gg600000bga00',
  '007fd10008d6f400021dd000002fb1000001cc1000001a8000845e90007dd900',
]

const inkOf = (cells: string) => [...cells].map((digit) => Number.parseInt(digit, 17) / 16)

const pictures: Readonly<Record<SampleName, ReactNode>> = {
  digits: (
    <>
      {digits.map((cells) => (
        <Bitmap key={cells} width={8} height={8} cells={inkOf(cells)} />
      ))}
    </>
  ),
  messages: (
    <span className="start-bubbles">
      {parts.bubbles.map((text) => (
        <span key={text}>{text}</span>
      ))}
    </span>
  ),
  predictions: (
    <>
      <span className="mono">{parts.topic}</span>
      <Range look={{ value: 0.11, low: 0.04, high: 0.2 }} />
    </>
  ),
  answers: (
    <>
      <span className="mono">{parts.verdict}</span>
      <Range look={{ value: 0.16, low: 0.12, high: 0.22 }} />
    </>
  ),
  models: (
    <>
      <span className="mono">{parts.model}</span>
      <Range look={{ value: 0.07, low: 0.04, high: 0.11 }} />
    </>
  ),
}

/** Sets to try the page on: two presses from here to the first question. */
export function Samples({ onChoose, isBusy }: { onChoose: (name: SampleName) => void; isBusy: boolean }) {
  return (
    <section className="start-files" aria-labelledby="start-samples">
      <h2 id="start-samples">{startWords.samples}</h2>
      <div className="start-samples-list">
        {(Object.keys(sampleWords) as SampleName[]).map((name) => {
          const { title, about, price } = sampleWords[name]
          return (
            <button key={name} type="button" className="start-sample" disabled={isBusy} onClick={() => onChoose(name)}>
              <span className="start-sample-picture" aria-hidden="true">
                {pictures[name]}
              </span>
              <b>{title}</b>
              <span className="small quiet">{about}</span>
              <span className="small faint">{price}</span>
            </button>
          )
        })}
      </div>
    </section>
  )
}

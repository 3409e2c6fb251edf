import { useId } from 'react'
import { plusMinus } from '../../text/shares.ts'

const [widest, narrowest, step] = [0.05, 0.01, 0.001]
const marks = [0.05, 0.04, 0.03, 0.02, 0.01]

interface Props {
  value: number
  onChange: (tolerance: number) => void
}

/** From ±5 % at the left to ±1 % at the right: to the right is more to ask for. */
export function ToleranceSlider({ value, onChange }: Props) {
  const id = useId()
  const at = Math.round((widest - value) / step)
  const last = Math.round((widest - narrowest) / step)
  return (
    <div className="field">
      <div className="spread certify-slider-head">
        <label htmlFor={id}>Tolerance</label>
        <output htmlFor={id}>{plusMinus(value)}</output>
      </div>
      <input
        id={id}
        className="certify-slider"
        type="range"
        min={0}
        max={last}
        value={at}
        aria-valuetext={`plus or minus ${plusMinus(value).slice(1, -2)} percent`}
        style={{ '--at': `${(100 * at) / last}%` } as React.CSSProperties}
        onChange={(event) => onChange(Number((widest - Number(event.target.value) * step).toFixed(4)))}
      />
      <div className="spread certify-slider-scale" aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark}>{plusMinus(mark)}</span>
        ))}
      </div>
    </div>
  )
}

import { type KeyboardEvent, useRef } from 'react'

interface Props<Value extends string> {
  label: string
  options: readonly { value: Value; text: string }[]
  value: Value
  onChange: (value: Value) => void
  /** A tab list switches what is shown (then `controls` names it); a radio group chooses a value. */
  role?: 'tablist' | 'radiogroup'
  controls?: string
  className?: string
}

/** A few options, one of them chosen. Arrow keys move the choice, Tab leaves. */
export function Segmented<Value extends string>({ label, options, value, onChange, ...look }: Props<Value>) {
  const { role = 'radiogroup', controls, className = '' } = look
  const group = useRef<HTMLDivElement>(null)
  const isTabs = role === 'tablist'

  function move(event: KeyboardEvent) {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = options.findIndex((option) => option.value === value)
    const next = (at + step + options.length) % options.length
    onChange(options[next]!.value)
    group.current?.querySelectorAll('button')[next]?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its role is given
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have names
    <div className={`segmented ${className}`} role={role} aria-label={label} ref={group} onKeyDown={move}>
      {options.map((option) => {
        const isChosen = option.value === value
        const state = isTabs
          ? { role: 'tab', 'aria-selected': isChosen, 'aria-controls': controls }
          : { role: 'radio', 'aria-checked': isChosen }
        return (
          <button key={option.value} type="button" tabIndex={isChosen ? 0 : -1} onClick={() => onChange(option.value)} {...state}>
            {option.text}
          </button>
        )
      })}
    </div>
  )
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

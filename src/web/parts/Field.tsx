import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react'
import './parts.css'

interface Labelled {
  label: string
  hint?: ReactNode
  error?: string | undefined
}

/** A line to type in. `error` replaces the hint and marks the field. */
export function TextField({ label, hint, error, ...rest }: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} className="input" aria-describedby={`${id}-hint`} aria-invalid={error ? true : undefined} {...rest} />
      <FieldHint id={`${id}-hint`} hint={hint} error={error} />
    </div>
  )
}

export function SelectField({ label, hint, error, children, ...rest }: Labelled & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="input select" aria-describedby={`${id}-hint`} aria-invalid={error ? true : undefined} {...rest}>
        {children}
      </select>
      <FieldHint id={`${id}-hint`} hint={hint} error={error} />
    </div>
  )
}

function FieldHint({ id, hint, error }: { id: string; hint: ReactNode; error: string | undefined }) {
  if (!error && !hint) return null
  return (
    <p id={id} className={error ? 'hint is-error' : 'hint'} role={error ? 'alert' : undefined}>
      {error ?? hint}
    </p>
  )
}

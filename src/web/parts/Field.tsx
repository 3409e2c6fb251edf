import { type ComponentProps, type ReactNode, useId } from 'react'

interface Labelled {
  label: string
  hint?: ReactNode
  /** Replaces the hint and marks the field. */
  error?: string | undefined
}

interface Described {
  readonly id: string
  readonly 'aria-describedby': string
  readonly 'aria-invalid': true | undefined
}

export function TextField({ label, hint, error, ...rest }: Labelled & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(field) => <input className="input" {...field} {...rest} />}
    </Field>
  )
}

export function TextArea({ label, hint, error, ...rest }: Labelled & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(field) => <textarea className="input" {...field} {...rest} />}
    </Field>
  )
}

interface Select extends Labelled, ComponentProps<'select'> {
  options: readonly { readonly value: string | number; readonly text: string }[]
}

export function SelectField({ label, hint, error, options, ...rest }: Select) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(field) => (
        <select className="input" {...field} {...rest}>
          {options.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

function Field({ label, hint, error, children }: Labelled & { children: (field: Described) => ReactNode }) {
  const id = useId()
  const said = error ?? hint
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-hint`, 'aria-invalid': error ? true : undefined })}
      {said && (
        <p id={`${id}-hint`} className={error ? 'hint is-error' : 'hint'} role={error ? 'alert' : undefined}>
          {said}
        </p>
      )}
    </div>
  )
}

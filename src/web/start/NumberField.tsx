import type { ReactNode } from 'react'
import { TextField } from '../parts/Field.tsx'
import { limits, type Numeric } from './draft.ts'

interface Props {
  field: Numeric
  value: string
  hint?: ReactNode
  placeholder?: string
  error: string | undefined
  onChange: (value: string) => void
}

/** A number as it is typed: what is wrong is said below, and nothing typed is taken away. */
export function NumberField({ field, onChange, ...rest }: Props) {
  const { title, isWhole } = limits[field]
  return (
    <TextField
      label={title}
      inputMode={isWhole ? 'numeric' : 'decimal'}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
      {...rest}
    />
  )
}

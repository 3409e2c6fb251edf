import type { ReactNode } from 'react'
import { TextField } from '../parts/Field.tsx'
import { limits, type Numeric } from './draft.ts'
import type { DraftWork } from './use-draft.ts'

interface Props {
  work: DraftWork
  field: Numeric
  hint?: ReactNode
  placeholder?: string
}

/** A number as it is typed: what is wrong is said below, and nothing typed is taken away. */
export function NumberField({ work: { draft, problemOf, change }, field, ...rest }: Props) {
  const { title, isWhole } = limits[field]
  return (
    <TextField
      label={title}
      inputMode={isWhole ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={draft[field]}
      error={problemOf(field)}
      onChange={(event) => change({ [field]: event.target.value })}
      {...rest}
    />
  )
}

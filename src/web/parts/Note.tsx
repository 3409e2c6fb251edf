import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'

interface Props {
  kind?: 'info' | 'warn'
  role?: 'alert' | 'status'
  children: ReactNode
}

/** A remark with its sign. `warn` is for offline and errors only. */
export function Note({ kind = 'info', role, children }: Props) {
  return (
    <div className={`note ${kind}`} role={role}>
      <Icon name={kind === 'warn' ? 'warning' : 'info'} />
      <div>{children}</div>
    </div>
  )
}

interface Told {
  message: string
  hint?: string | undefined
}

/** What went wrong, as `where: what is required, got what`, and what to do about it. */
export function FailureNote({ failure }: { failure: Told }) {
  return (
    <Note kind="warn" role="alert">
      <p className="mono">{failure.message}</p>
      {failure.hint && <p>{failure.hint}</p>}
    </Note>
  )
}

import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { Button, type ButtonKind } from './Button.tsx'
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

/** What went wrong, as `where: what is required, got what`, and what to do about it. */
export function FailureNote({ failure }: { failure: { message: string; hint?: string | undefined } }) {
  return (
    <Note kind="warn" role="alert">
      <p className="mono">{failure.message}</p>
      {failure.hint && <p>{failure.hint}</p>}
    </Note>
  )
}

export function Tag({ children }: { children: ReactNode }) {
  return <span className="tag">{children}</span>
}

/** How far something is, 0 to 1. Without `share` it is under way, and how far is not known. */
export function Meter({ label, share }: { label: string; share?: number | null | undefined }) {
  const percent = share == null ? undefined : Math.round(Math.min(1, Math.max(0, share)) * 100)
  return (
    <div className="meter" role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}>
      <i style={{ width: `${percent ?? 0}%` }} />
    </div>
  )
}

export function Rows({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="rows lined">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A line to take along to a terminal; where it has to break, it breaks between options. */
export function CopiedLine({ text, kind = 'bare' }: { text: string; kind?: ButtonKind }) {
  const [said, setSaid] = useState('Copy')
  useEffect(() => {
    if (said === 'Copy') return
    const timer = setTimeout(() => setSaid('Copy'), 2_000)
    return () => clearTimeout(timer)
  }, [said])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      setSaid('Select it instead') // some browsers, and pages not opened as 127.0.0.1, forbid it
    }
  }

  return (
    <div className="copied-line">
      <code className="mono">
        {text.split(/ (?=--)/).map((part) => (
          <Fragment key={part}>
            <span>{part}</span>{' '}
          </Fragment>
        ))}
      </code>
      <Button kind={kind} onClick={copy} aria-live="polite">
        {said}
      </Button>
    </div>
  )
}

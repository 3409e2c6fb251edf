import { type ReactNode, useEffect, useRef } from 'react'

interface Props {
  /** A word above the title: which round, which project. */
  about?: ReactNode
  title: ReactNode
  lede?: ReactNode
  role?: 'status' | 'alert'
  /** Buttons, the primary one first. */
  actions?: ReactNode
  /** Whether the primary button has the focus at once, so that Enter presses it. */
  takesFocus?: boolean
  children?: ReactNode
}

/** What stands in the point's place while there is no point to show. */
export function StateCard({ about, title, lede, role, actions, takesFocus = false, children }: Props) {
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) card.current?.querySelector<HTMLElement>('.primary')?.focus()
  }, [takesFocus])

  return (
    <div className="state-card" role={role} ref={card}>
      {about && <p className="faint">{about}</p>}
      <h1>{title}</h1>
      {lede && <p className="lede">{lede}</p>}
      {children}
      {actions && <div className="tools">{actions}</div>}
    </div>
  )
}

import { type ReactNode, useEffect, useRef } from 'react'

interface Props {
  title: ReactNode
  lede?: ReactNode
  /** A second paragraph. */
  more?: ReactNode
  /** Links and buttons, the primary one first. */
  actions?: ReactNode
  /** Whether the title has the focus at once: what had it is gone with the page before. */
  takesFocus?: boolean
  className?: string
  children?: ReactNode
}

/** A view of one column that begins with what it says. */
export function Page({ title, lede, more, actions, takesFocus = false, className = '', children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  return (
    <main className={`page ${className}`} tabIndex={-1}>
      <header className="stack">
        <h1 tabIndex={takesFocus ? -1 : undefined} ref={heading}>
          {title}
        </h1>
        {lede && <p className="lede">{lede}</p>}
        {more}
        {actions && <div className="tools">{actions}</div>}
      </header>
      {children}
    </main>
  )
}

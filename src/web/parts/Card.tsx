import { type ReactNode, useEffect, useRef } from 'react'
import { shellWords } from '../text/shell.ts'
import { IconButton } from './Button.tsx'
import { Icon } from './Icon.tsx'

interface Props {
  title?: ReactNode
  /** A few words below the title. */
  note?: ReactNode
  /** To the right of the title: a button, a tag. */
  aside?: ReactNode
  className?: string
  id?: string
  children?: ReactNode
}

export function Card({ title, note, aside, className = '', id, children }: Props) {
  return (
    <section className={`card ${className}`} id={id}>
      {(title || aside) && (
        <div className="spread card-head">
          <div>
            {title && <h2>{title}</h2>}
            {note && <p className="small faint">{note}</p>}
          </div>
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}

interface StateProps {
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
export function StateCard({ about, title, lede, role, actions, takesFocus = false, children }: StateProps) {
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

interface PageProps {
  /** A line above the title. */
  eyebrow?: ReactNode
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
export function Page({ eyebrow, title, lede, more, actions, takesFocus = false, className = '', children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  return (
    <main className={`page ${className}`} tabIndex={-1}>
      <header className="stack">
        {eyebrow && <p className="small faint">{eyebrow}</p>}
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

/** Beside the work, not over it: nothing behind a panel is blocked, and focus stays where it was. */
export function Panel({ id, title, onClose, children }: { id: string; title: string; onClose: () => void; children: ReactNode }) {
  return (
    <aside className="panel" id={id} aria-label={title}>
      <div className="spread panel-head">
        <h2>{title}</h2>
        <IconButton label={shellWords.close} onClick={onClose}>
          <Icon name="close" size={16} />
        </IconButton>
      </div>
      {children}
    </aside>
  )
}

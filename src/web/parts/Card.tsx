import type { ReactNode } from 'react'

interface Props {
  title?: ReactNode
  /** A few words below the title. */
  note?: ReactNode
  /** To the right of the title: a button, a tag. */
  aside?: ReactNode
  className?: string
  children?: ReactNode
}

export function Card({ title, note, aside, className = '', children }: Props) {
  return (
    <section className={`card ${className}`}>
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

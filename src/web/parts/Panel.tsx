import type { ReactNode } from 'react'
import { IconButton } from './Button.tsx'
import { Icon } from './Icon.tsx'

interface Props {
  id: string
  title: string
  onClose: () => void
  children: ReactNode
}

/** Beside the work, not over it: nothing behind a panel is blocked, and focus stays where it was. */
export function Panel({ id, title, onClose, children }: Props) {
  return (
    <aside className="panel" id={id} aria-label={title}>
      <div className="spread panel-head">
        <h2>{title}</h2>
        <IconButton label="Close" onClick={onClose}>
          <Icon name="close" size={16} />
        </IconButton>
      </div>
      {children}
    </aside>
  )
}

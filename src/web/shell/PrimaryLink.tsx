import type { ReactNode } from 'react'
import { Link } from './routes.tsx'

/** The one thing to do next, where that is another view. */
export function PrimaryLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link className="button primary" to={to}>
      {children}
    </Link>
  )
}

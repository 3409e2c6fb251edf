import type { ReactNode } from 'react'
import './parts.css'

export function Tag({ children }: { children: ReactNode }) {
  return <span className="tag">{children}</span>
}

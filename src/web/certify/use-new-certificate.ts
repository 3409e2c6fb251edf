import { useEffect, useRef } from 'react'
import type { Project } from '../../protocol/project.ts'
import { navigate } from '../shell/routes.tsx'

/** When an audit comes to its end while somebody watches, what it says is what they want to see next. */
export function useNewCertificate({ audit, certificates }: Project): void {
  const watched = useRef<ReadonlySet<string>>(undefined)
  useEffect(() => {
    if (audit) {
      watched.current = new Set(certificates.map(({ seal }) => seal))
      return
    }
    const fresh = certificates.find(({ seal }) => watched.current && !watched.current.has(seal))
    watched.current = undefined
    if (fresh) navigate(`/certify/${encodeURIComponent(fresh.seal)}`)
  }, [audit, certificates])
}

import { useEffect, useRef } from 'react'
import type { Project } from '../../protocol/project.ts'
import { certificatePath, navigate } from '../shell/routes.tsx'

/** Goes to the certificate when an audit comes to its end while this page shows it. */
export function useNewCertificate({ audit, certificates }: Project): void {
  const watched = useRef<ReadonlySet<string>>(undefined)
  useEffect(() => {
    if (audit) {
      watched.current = new Set(certificates.map(({ seal }) => seal))
      return
    }
    const fresh = certificates.find(({ seal }) => watched.current && !watched.current.has(seal))
    watched.current = undefined
    if (fresh) navigate(certificatePath(fresh.seal))
  }, [audit, certificates])
}

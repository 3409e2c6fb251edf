import { useEffect, useState } from 'react'
import type { CertificateFile } from '../../protocol/certificate.ts'
import type { Project } from '../../protocol/project.ts'
import { api, certificateUrl } from '../api/client.ts'
import type { Failure } from '../api/failure.ts'
import { Button } from '../parts/Button.tsx'
import { FailureNote } from '../parts/Note.tsx'
import { StateCard } from '../parts/StateCard.tsx'
import { Link } from '../shell/routes.tsx'
import { Sheet } from './Sheet.tsx'
import './certificate.css'

/** A certificate as a page one would print. */
export function CertificateView({ project, seal }: { project: Project; seal: string }) {
  const { certificate, failure } = useCertificate(seal)
  const summary = project.certificates.find((each) => each.seal === seal)
  return (
    <main className="certificate" tabIndex={-1}>
      <div className="certificate-bar">
        <Link className="button bare" to="/certify">
          ← Certify
        </Link>
        {certificate && (
          <div className="tools">
            <Button onClick={() => print()}>Print</Button>
            <a className="button" href={certificateUrl(encodeURIComponent(seal))} download="certificate.json">
              Download certificate.json
            </a>
          </div>
        )}
      </div>
      {failure && (
        <StateCard title="This certificate cannot be shown.">
          <FailureNote failure={failure} />
        </StateCard>
      )}
      {certificate && <Sheet certificate={certificate} summary={summary} project={project} />}
    </main>
  )
}

function useCertificate(seal: string): { certificate?: CertificateFile; failure?: Failure } {
  const [found, setFound] = useState<{ certificate?: CertificateFile; failure?: Failure }>({})
  useEffect(() => {
    let isWanted = true
    api.certificate<CertificateFile>(encodeURIComponent(seal)).then(
      (certificate) => isWanted && setFound({ certificate }),
      (failure: Failure) => isWanted && setFound({ failure }),
    )
    return () => {
      isWanted = false
    }
  }, [seal])
  return found
}

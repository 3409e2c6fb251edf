import type { Project } from '../../protocol/project.ts'
import { isEarlier } from '../../questions/earlier.ts'
import { api, certificateUrl, download } from '../api/client.ts'
import { useAttempt, useLoaded } from '../api/use-requests.ts'
import { Button } from '../parts/Button.tsx'
import { StateCard } from '../parts/Card.tsx'
import { FailureNote } from '../parts/Note.tsx'
import { Link } from '../shell/routes.tsx'
import { words } from '../text/certificate.ts'
import { EarlierSheet, Sheet } from './Sheet.tsx'
import './certificate.css'

export function CertificateView({ project, seal }: { project: Project; seal: string }) {
  const { value: certificate, failure } = useLoaded(() => api.certificate(seal), seal)
  const { attempt, failure: saving, isBusy } = useAttempt()
  const summary = project.certificates.find((each) => each.seal === seal)
  const isAudit = project.purpose === 'audit'
  return (
    <main className="page certificate" tabIndex={-1}>
      <div className="spread certificate-bar">
        <Link className="button bare" to={isAudit ? '/progress' : '/certify'}>
          {isAudit ? words.backToReport : words.back}
        </Link>
        {certificate && (
          <div className="tools">
            <Button onClick={() => print()}>{words.print}</Button>
            <Button disabled={isBusy} onClick={() => attempt(() => download(certificateUrl(seal), 'certificate.json'))}>
              {words.download}
            </Button>
          </div>
        )}
      </div>
      {saving && <FailureNote failure={saving} />}
      {failure && (
        <StateCard title={words.cannot}>
          <FailureNote failure={failure} />
        </StateCard>
      )}
      {certificate &&
        (isEarlier(certificate) ? (
          <EarlierSheet certificate={certificate} summary={summary} project={project} />
        ) : (
          <Sheet certificate={certificate} summary={summary} project={project} />
        ))}
    </main>
  )
}

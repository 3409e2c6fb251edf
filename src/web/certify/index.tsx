import { useEffect, useRef } from 'react'
import type { CertificateSummary, Project } from '../../protocol/project.ts'
import { earlierWords } from '../../questions/earlier.ts'
import { rangeText } from '../../text/shares.ts'
import { CertificateView } from '../certificate/index.tsx'
import { Card, Page } from '../parts/Card.tsx'
import { Tag } from '../parts/Note.tsx'
import { certificatePath, Link, navigate, PrimaryLink } from '../shell/routes.tsx'
import { standingOf, titleOf, voidWords } from '../text/certificate.ts'
import { words } from '../text/certify.ts'
import { certifiedOf } from '../text/now.ts'
import { AuditView } from './AuditView.tsx'
import { GoalForm } from './GoalForm.tsx'
import './certify.css'

/** A certificate; or the audit that makes one; or the choice of what it shall say. */
export function CertifyView({ project, seal }: { project: Project; seal?: string | undefined }) {
  useNewCertificate(project)
  if (seal !== undefined) return <CertificateView project={project} seal={decodeURIComponent(seal)} />
  if (project.audit) return <AuditView project={project} audit={project.audit} />
  return project.purpose === 'audit' ? <AuditEnd project={project} /> : <GoalPage project={project} />
}

/** What shall be said of the model, and about what it will cost. */
function GoalPage({ project }: { project: Project }) {
  const { model, certificates, answers, isCertified } = project
  const certified = isCertified ? certifiedOf(project) : undefined
  return (
    <Page
      eyebrow={certified ? words.goesOn(rangeText(certified) ?? '') : model && words.starts(answers)}
      title={certified ? words.titleAgain : words.title}
      lede={model ? words.lede : words.noModel}
      actions={!model && <PrimaryLink to="/label">{words.answerFirst}</PrimaryLink>}
    >
      {model && (
        <GoalForm
          key={`${model.id} ${certificates.length} ${project.forecast !== undefined}`}
          project={project}
          model={model}
          known={certified ? (certified.high - certified.low) / 2 : 1}
        />
      )}
      <CertificateList certificates={certificates} />
    </Page>
  )
}

/** An audit of predictions that has come to its end, or not begun. */
function AuditEnd({ project: { certificates } }: { project: Project }) {
  const [title, lede] = certificates.length > 0 ? [words.finished, words.finishedWhy] : [words.notYet, words.notYetWhy]
  return (
    <Page title={title} lede={lede}>
      <CertificateList certificates={certificates} />
    </Page>
  )
}

/** Goes to the certificate when an audit comes to its end while this page shows it. */
function useNewCertificate({ audit, certificates }: Project): void {
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

function CertificateList({ certificates }: { certificates: readonly CertificateSummary[] }) {
  if (certificates.length === 0) return null
  return (
    <Card title={words.certificates}>
      <ul className="certify-list lined">
        {certificates
          .toSorted((a, b) => b.time.localeCompare(a.time))
          .map((certificate) => (
            <li key={certificate.seal}>
              <Link to={certificatePath(certificate.seal)}>{titleOf(certificate)}</Link>
              <span className="small faint">{standingOf(certificate)}</span>
              {certificate.isRevised && <Tag>{voidWords}</Tag>}
              {certificate.isEarlier && <span className="small">{earlierWords(certificate.metric)}</span>}
            </li>
          ))}
      </ul>
    </Card>
  )
}

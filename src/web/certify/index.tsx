import type { Project } from '../../protocol/project.ts'
import { CertificateView } from '../certificate/index.tsx'
import { Page } from '../parts/Page.tsx'
import { PrimaryLink } from '../shell/PrimaryLink.tsx'
import { AuditView } from './AuditView.tsx'
import { CertificateList } from './CertificateList.tsx'
import { GoalForm } from './GoalForm.tsx'
import { useNewCertificate } from './use-new-certificate.ts'
import './certify.css'

/** A certificate; or the audit that makes one; or the choice of what it shall say. */
export function CertifyView({ project, seal }: { project: Project; seal?: string | undefined }) {
  useNewCertificate(project)
  if (seal !== undefined) return <CertificateView project={project} seal={decodeURIComponent(seal)} />
  if (project.audit) return <AuditView project={project} audit={project.audit} />
  return project.purpose === 'audit' ? <AuditEnd project={project} /> : <GoalPage project={project} />
}

/** What shall be said of the model, and about what it will cost. */
function GoalPage({ project: { model, certificates } }: { project: Project }) {
  return (
    <Page
      title="Certify this model"
      lede="Freeze the model as it is now and measure it on points drawn afresh, until the interval is as narrow as you ask. The answers never train the certified model; they may train later ones."
      more={!model && <p className="lede">There is no model yet: the first round teaches the first one.</p>}
      actions={!model && <PrimaryLink to="/label">Go to round 1</PrimaryLink>}
    >
      {model && <GoalForm model={model} />}
      <CertificateList certificates={certificates} />
    </Page>
  )
}

/** An audit of predictions that has come to its end, or not begun. */
function AuditEnd({ project: { certificates } }: { project: Project }) {
  const [title, lede] =
    certificates.length > 0
      ? ['The audit is finished.', 'What it found is in its certificate, with every draw and answer it rests on.']
      : ['No certificate yet.', 'It is written when the audit reaches its goal, or when you stop it.']
  return (
    <Page title={title} lede={lede}>
      <CertificateList certificates={certificates} />
    </Page>
  )
}

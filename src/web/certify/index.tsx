import type { Project } from '../../protocol/project.ts'
import { CertificateView } from '../certificate/index.tsx'
import { AuditView } from './AuditView.tsx'
import { Choose } from './Choose.tsx'
import { Finished } from './Finished.tsx'
import { useNewCertificate } from './use-new-certificate.ts'

/** A certificate; or the audit that makes one; or the choice of what it shall say. */
export function CertifyView({ project, seal }: { project: Project; seal?: string | undefined }) {
  useNewCertificate(project)
  if (seal !== undefined) return <CertificateView project={project} seal={decodeURIComponent(seal)} />
  if (project.audit) return <AuditView project={project} audit={project.audit} />
  return project.purpose === 'audit' ? <Finished project={project} /> : <Choose project={project} />
}

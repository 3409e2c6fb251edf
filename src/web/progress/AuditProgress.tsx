import { unitOf } from '../../metrics/metric-labels.ts'
import type { Audit, Project } from '../../protocol/project.ts'
import { levelPercentage, rangeText, valueText } from '../../text/shares.ts'
import { counted } from '../../text/wording.ts'
import { askedWords } from '../certificate/words.ts'
import { ofWhat, paceWords } from '../certify/words.ts'
import { Card } from '../parts/Card.tsx'
import { Page } from '../parts/Page.tsx'
import { Tag } from '../parts/Tag.tsx'
import { Funnel, funnelOf } from '../plots/Funnel.tsx'
import { PrimaryLink } from '../shell/PrimaryLink.tsx'
import { certificatePath } from '../shell/routes.tsx'
import { ClassesCard } from './ClassesCard.tsx'

/** Progress of an audit of predictions from elsewhere: one interval, nothing learned. */
export function AuditProgress({ project }: { project: Project }) {
  const { audit } = project
  const certificate = project.certificates.at(-1)
  const newest = audit?.steps.at(-1)
  const measured = newest ?? (audit ? undefined : certificate)
  const unit = unitOf(audit ?? certificate ?? { metric: 'error' })
  return (
    <Page
      title={measured ? `${rangeText(measured, unit)}, about ${valueText(measured, unit)}.` : 'No interval yet.'}
      lede={ledeOf(project)}
      actions={
        audit ? (
          <PrimaryLink to="/certify">Go to the audit</PrimaryLink>
        ) : (
          certificate && <PrimaryLink to={certificatePath(certificate.seal)}>See the certificate</PrimaryLink>
        )
      }
    >
      {project.answers > 0 && (
        <div className={audit && newest ? 'cols progress-cols' : 'cols progress-thirds'}>
          {audit && newest && <IntervalCard project={project} audit={audit} />}
          <ClassesCard project={project} />
        </div>
      )}
    </Page>
  )
}

function IntervalCard({ project, audit }: { project: Project; audit: Audit }) {
  const level = levelPercentage(audit.goal.level)
  return (
    <Card
      title="The interval by number of answers"
      note={askedWords(audit.goal, audit.metric)}
      aside={<Tag>{level} interval</Tag>}
    >
      <Funnel data={funnelOf(audit, unitOf(audit))} caption={paceWords(audit, project.purpose)} />
    </Card>
  )
}

function ledeOf({ audit, certificates, purpose }: Project): string {
  const newest = audit?.steps.at(-1)
  const certificate = certificates.at(-1)
  const rests = (answers: number, level: number) =>
    `The ${levelPercentage(level)} interval rests on ${counted(answers, 'answer')} and holds whenever you look.`
  if (audit && newest) return `That is ${ofWhat(audit, purpose)}. ${rests(newest.answers, audit.goal.level)}`
  if (audit || !certificate) return 'It appears when the first answers are in.'
  return `The audit is finished. ${rests(certificate.answers, certificate.level)}`
}

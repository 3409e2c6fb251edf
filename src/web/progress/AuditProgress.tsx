import { unitOf } from '../../metrics/metric-labels.ts'
import type { Audit, CertificateSummary, Project } from '../../protocol/project.ts'
import { earlierWords } from '../../questions/earlier.ts'
import { bestWords, stateText } from '../../questions/words.ts'
import { levelPercentage, rangeText, valueText } from '../../text/shares.ts'
import { counted } from '../../text/wording.ts'
import { Card, Page } from '../parts/Card.tsx'
import { Tag } from '../parts/Note.tsx'
import { Funnel, funnelOf } from '../plots/Funnel.tsx'
import { certificatePath, PrimaryLink } from '../shell/routes.tsx'
import { voidWords } from '../text/certificate.ts'
import { askedWords } from '../text/certificate-facts.ts'
import { aboutWords, headWords, paceWords } from '../text/certify.ts'
import { ClassesCard } from './cards.tsx'

/** Progress of an audit of predictions from elsewhere: intervals, and nothing learned. */
export function AuditProgress({ project }: { project: Project }) {
  const { audit } = project
  const certificate = project.certificates.at(-1)
  const hasSteps = audit !== undefined && audit.steps.length > 0
  return (
    <Page
      title={titleOf(project)}
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
        <div className={hasSteps ? 'cols progress-cols' : 'cols progress-thirds'}>
          {hasSteps && <IntervalCard project={project} audit={audit} />}
          <ClassesCard project={project} />
        </div>
      )}
    </Page>
  )
}

/** What is asked first, as it stands now or in the last certificate. */
function titleOf({ audit, certificates }: Project): string {
  const certificate = certificates.at(-1)
  const measured = audit ? audit.questions[0] : (certificate?.questions[0] ?? certificate)
  if (!audit && certificate?.best && certificate.questions.length === 0) return bestWords(certificate.best)
  if (!measured) return audit ? headWords(audit) : 'No interval yet.'
  const { value, low, high } = measured
  if (value === null || low === null || high === null) return 'Not defined.'
  return `${rangeText({ low, high }, unitOf(measured))}, about ${valueText({ value, low, high }, unitOf(measured))}.`
}

function IntervalCard({ project, audit }: { project: Project; audit: Audit }) {
  const level = levelPercentage(audit.goal.level)
  return (
    <Card title="The interval by number of answers" note={askedWords(audit.goal, audit)} aside={<Tag>{level} interval</Tag>}>
      <Funnel data={funnelOf(audit, unitOf(audit))} caption={paceWords(audit, project.purpose)} />
    </Card>
  )
}

function ledeOf({ audit, certificates, purpose }: Project): string {
  const certificate = certificates.at(-1)
  const about = audit && aboutWords(audit, purpose)
  if (about) return audit.questions.length > 0 ? `That is ${about}. It holds whenever you look.` : about
  if (audit || !certificate) return 'It appears when the first answers are in.'
  return `The audit is finished. ${standingOf(certificate)}`
}

/** How far the last certificate can be relied on. */
function standingOf({ isRevised, isEarlier, metric, questions, level, answers }: CertificateSummary): string {
  if (isRevised) return `${voidWords}.`
  if (isEarlier) return earlierWords(metric)
  const state = questions[0]?.state ?? 'defined'
  if (questions.length === 0) return `It rests on ${counted(answers, 'answer')} and holds whenever you look.`
  const what = state === 'defined' ? `The ${levelPercentage(level)} interval` : `What it says (${stateText(state)})`
  return `${what} rests on ${counted(answers, 'answer')} and holds whenever you look.`
}

import { unitOf } from '../../metrics/metric-labels.ts'
import type { Audit, CertificateSummary, Project } from '../../protocol/project.ts'
import { earlierWords } from '../../questions/earlier.ts'
import { bestWords, stateText } from '../../questions/words.ts'
import { levelPercentage } from '../../text/shares.ts'
import { counted } from '../../text/wording.ts'
import { Card, Page } from '../parts/Card.tsx'
import { Rows } from '../parts/Note.tsx'
import { Funnel, funnelOf } from '../plots/Funnel.tsx'
import { Findings } from '../report/index.tsx'
import { certificatePath, PrimaryLink } from '../shell/routes.tsx'
import { voidWords } from '../text/certificate.ts'
import { askedWords } from '../text/certificate-facts.ts'
import { aboutWords, headWords, paceWords, questionRows, sentenceOf } from '../text/certify.ts'
import { words } from '../text/report.ts'
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
          <PrimaryLink to="/certify">{words.goOn}</PrimaryLink>
        ) : (
          certificate && <PrimaryLink to={certificatePath(certificate.seal)}>{words.see}</PrimaryLink>
        )
      }
    >
      {hasSteps && <IntervalCard project={project} audit={audit} />}
      {audit && audit.questions.length > 1 && (
        <Card title={words.questions} note={words.alone}>
          <Rows rows={questionRows(audit)} />
        </Card>
      )}
      <Findings project={project} />
      {project.answers > 0 && <ClassesCard project={project} />}
    </Page>
  )
}

/** What is asked first, as it stands now or in the last certificate. */
function titleOf({ audit, certificates }: Project): string {
  const certificate = certificates.at(-1)
  const measured = audit ? audit.questions[0] : (certificate?.questions[0] ?? certificate)
  if (!audit && certificate?.best && certificate.questions.length === 0) return bestWords(certificate.best)
  if (!measured) return audit ? headWords(audit, 'audit') : 'No range yet.'
  return sentenceOf(measured, 'audit')
}

function IntervalCard({ project, audit }: { project: Project; audit: Audit }) {
  return (
    <Card title={words.band} note={askedWords(audit.goal, audit)}>
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

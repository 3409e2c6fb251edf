import type { Audit, Project } from '../../protocol/project.ts'
import { askedWords, ofWhat, paceWords } from '../certify/words.ts'
import { Card } from '../parts/Card.tsx'
import { counted, percent } from '../parts/numbers.ts'
import { Tag } from '../parts/Tag.tsx'
import { Funnel } from '../plots/Funnel.tsx'
import { type Range, rangeText, valueText } from '../plots/precision.ts'
import { Link } from '../shell/routes.tsx'
import { ClassesCard } from './ClassesCard.tsx'

/** Progress of an audit of somebody else’s predictions: one interval, nothing learned. */
export function AuditProgress({ project }: { project: Project }) {
  const { audit } = project
  const certificate = project.certificates.at(-1)
  const newest = audit?.steps.at(-1)
  const measured = newest ?? (audit ? undefined : certificate)
  return (
    <main className="page" tabIndex={-1}>
      <header>
        <h1>{measured ? `${rangeText(measured)}, about ${valueText(measured)}.` : 'No interval yet.'}</h1>
        <p className="lede">{ledeOf(project)}</p>
        <div className="tools">
          {audit ? (
            <Link className="button primary" to="/certify">
              Go to the audit
            </Link>
          ) : (
            certificate && (
              <Link className="button primary" to={`/certify/${encodeURIComponent(certificate.seal)}`}>
                See the certificate
              </Link>
            )
          )}
        </div>
      </header>
      {project.answers > 0 && (
        <div className={audit && newest ? 'progress-cols' : 'progress-thirds'}>
          {audit && newest && <IntervalCard project={project} audit={audit} />}
          <ClassesCard project={project} />
        </div>
      )}
    </main>
  )
}

function IntervalCard({ project, audit }: { project: Project; audit: Audit }) {
  const level = percent(audit.goal.level)
  return (
    <Card title="The interval by number of answers" note={askedWords(audit.goal)} aside={<Tag>{level} interval</Tag>}>
      <Funnel steps={audit.steps} asked={audit.goal} more={audit.forecast?.answers} caption={paceWords(audit, project.purpose)} />
    </Card>
  )
}

type Stated = Range & { readonly answers: number }

function ledeOf({ audit, certificates, purpose }: Project): string {
  const newest = audit?.steps.at(-1)
  const certificate = certificates.at(-1)
  const rests = ({ answers }: Stated, level: number) =>
    `The ${percent(level)} interval rests on ${counted(answers, 'answer')} and holds whenever you look.`
  if (audit && newest) return `That is ${ofWhat(audit, purpose)}. ${rests(newest, audit.goal.level)}`
  if (audit || !certificate) return 'It appears when the first answers are in.'
  return `The audit is finished. ${rests(certificate, certificate.level)}`
}

import type { ReactNode } from 'react'
import { unitOf } from '../../metrics/metric-labels.ts'
import type { Audit, CertificateSummary, Project } from '../../protocol/project.ts'
import type { BestOfModels } from '../../protocol/questions.ts'
import { earlierWords } from '../../questions/earlier.ts'
import { counted } from '../../text/wording.ts'
import { Button } from '../parts/Button.tsx'
import { Card, Page } from '../parts/Card.tsx'
import { Rows, Tag } from '../parts/Note.tsx'
import { rich } from '../parts/rich.tsx'
import { Funnel, funnelOf } from '../plots/Funnel.tsx'
import { Findings } from '../report/index.tsx'
import { certificatePath, PrimaryLink } from '../shell/routes.tsx'
import { missWords, voidWords } from '../text/certificate.ts'
import { askedWords } from '../text/certificate-facts.ts'
import { aboutWords, headWords, paceWords, partsOf, questionRows, raceHead, raceNow, sentenceOf } from '../text/certify.ts'
import { words } from '../text/report.ts'
import { ClassesCard } from './cards.tsx'

/** What an audit of predictions has found, by now or in the end: how wrong, where, and which ones. */
export function AuditProgress({ project }: { project: Project }) {
  const { audit, certificates, answers, points, pool } = project
  const certificate = certificates.at(-1)
  const best = audit ? audit.best : certificate?.best
  return (
    <Page
      className="report"
      eyebrow={words.eyebrow(pool, answers, points)}
      title={<span className="say">{titleOf(project)}</span>}
      lede={ledeOf(project)}
      more={!best && answers > 0 && <Jumps />}
      actions={
        <>
          {audit ? (
            <PrimaryLink to="/certify">{words.goOn}</PrimaryLink>
          ) : (
            certificate && <PrimaryLink to={certificatePath(certificate.seal)}>{words.see}</PrimaryLink>
          )}
          {answers > 0 && <Button onClick={() => print()}>{words.print}</Button>}
        </>
      }
    >
      {best && <RaceCard best={best} />}
      {audit && audit.steps.length > 0 && <IntervalCard project={project} audit={audit} />}
      <Findings project={project} />
      {answers > 0 && <ClassesCard project={project} />}
    </Page>
  )
}

/** To the parts of a long page. */
function Jumps() {
  return (
    <nav className="report-jumps small" aria-label={words.jumps}>
      {Object.entries(words.jump).map(([id, name]) => (
        <a key={id} href={`#${id}`}>
          {name}
        </a>
      ))}
    </nav>
  )
}

/** What is asked first, as it stands now or in the last certificate. */
function titleOf({ audit, certificates }: Project): ReactNode {
  const certificate = certificates.at(-1)
  const newest = audit?.steps.at(-1)
  const measured = audit ? audit.questions[0] && { ...audit.questions[0], ...newest } : (certificate?.questions[0] ?? certificate)
  if (!audit && certificate?.best && certificate.questions.length === 0) return raceHead(certificate.best)
  if (!measured) return audit ? headWords(audit, 'audit') : words.noRange
  const said = partsOf(measured, 'audit')
  if (!said) return sentenceOf(measured, 'audit')
  return (
    <>
      {rich(words.sentence, {
        before: said.before,
        about: <b>{words.about(said.value, said.before === '')}</b>,
        after: said.after,
        low: <b>{said.low}</b>,
        high: <b>{said.high}</b>,
      })}
    </>
  )
}

function IntervalCard({ project, audit }: { project: Project; audit: Audit }) {
  return (
    <Card title={words.band} note={askedWords(audit.goal, audit)}>
      <Funnel data={funnelOf(audit, unitOf(audit))} caption={paceWords(audit, project.purpose)} />
      <details className="how">
        <summary>{words.how}</summary>
        <div className="how-body">
          <p>{words.lot(missWords(audit.questions[0]?.level ?? audit.goal.level))}</p>
          {audit.questions.length > 1 && (
            <>
              <h3>{words.questions}</h3>
              <p className="caption">{words.alone}</p>
              <Rows rows={questionRows(audit)} />
            </>
          )}
        </div>
      </details>
    </Card>
  )
}

/** Several columns: which is still in, and which is out. */
function RaceCard({ best }: { best: BestOfModels }) {
  const { model, leader, out, models } = best
  const first = model ?? leader
  const said = (name: string) => {
    if (name === first) return <b>{model === null ? words.leads : words.best}</b>
    return out.includes(name) ? <Tag>{words.out}</Tag> : words.open
  }
  const order = models.toSorted((a, b) => placeOf(a) - placeOf(b))
  function placeOf(name: string): number {
    return name === first ? 0 : out.includes(name) ? 2 : 1
  }
  return (
    <Card title={words.race} note={words.raceNote}>
      <Rows rows={order.map((name) => [name, said(name)])} />
      <p className="caption">{words.raceWhy}</p>
    </Card>
  )
}

function ledeOf({ audit, certificates, purpose }: Project): string {
  const certificate = certificates.at(-1)
  if (audit) {
    if (audit.best) return raceNow(audit.best)
    if (!audit.questions[0]) return words.early
    return partsOf({ ...audit.questions[0], ...audit.steps.at(-1) }, purpose) ? '' : (aboutWords(audit, purpose) ?? '')
  }
  return certificate ? `${words.finished} ${standingOf(certificate)}` : words.early
}

/** How far the last certificate can be relied on. */
function standingOf({ isRevised, isEarlier, metric, best, level, answers }: CertificateSummary): string {
  if (isRevised) return `${voidWords}.`
  if (isEarlier) return earlierWords(metric)
  const race = best ? `${raceNow(best)} ` : ''
  return `${race}${words.rests(counted(answers, 'answer'), missWords(level))}`
}

import type { ReactNode } from 'react'
import { unitOf } from '../../metrics/metric-labels.ts'
import type { CertificateSummary, Project } from '../../protocol/project.ts'
import type { Report } from '../../protocol/report.ts'
import type { Certificate, CertifiedQuestion } from '../../questions/certificate.ts'
import { type EarlierCertificate, earlierWords } from '../../questions/earlier.ts'
import { levelsText, rowLabels, stateText } from '../../questions/words.ts'
import { rangeText, valueText } from '../../text/shares.ts'
import { sentence } from '../../text/wording.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../api/use-requests.ts'
import { Icon, Mark } from '../parts/Icon.tsx'
import { CopiedLine, Note, Tag } from '../parts/Note.tsx'
import { rich } from '../parts/rich.tsx'
import { PlotFigure } from '../plots/PlotFigure.tsx'
import { ClassTable } from '../report/index.tsx'
import {
  claimOf,
  dayOf,
  estimateWords,
  firstOf,
  limitWords,
  pictureWords,
  restWords,
  says,
  saysNot,
  scaleWords,
  words,
} from '../text/certificate.ts'
import { askedFacts, earlierFacts, type Fact, fileFacts, whoFacts } from '../text/certificate-facts.ts'

interface Props {
  project: Project
  /** What the project knows beside the file: when, and whether an answer was revised since. */
  summary: CertificateSummary | undefined
}

export function Sheet({ certificate, summary, project }: Props & { certificate: Certificate }) {
  const { questions, rounds } = certificate
  const report = useReport(certificate, summary)
  const draws = rounds.reduce((sum, round) => sum + round.draws.length, 0)
  const [first, claim] = [firstOf(certificate), claimOf(certificate)]
  return (
    <Frame project={project} summary={summary}>
      <section>
        <h1 className="sheet-claim">
          {claim.before} {claim.value !== undefined && <b>{claim.value}</b>}
          {claim.limits && rich(words.between, { low: <b>{claim.limits.low}</b>, high: <b>{claim.limits.high}</b> })}
          {claim.after}
        </h1>
        <p className="lede">{restWords(certificate)}</p>
      </section>
      {first && <Picture asked={first} />}
      <Facts title={words.asked} rows={askedFacts(certificate, { question: project.question, after: summary?.after })} />
      {report && report.classes.length > 0 && (
        <section>
          <h2>{words.byClass}</h2>
          <ClassTable classes={report.classes} />
          <p className="caption">{words.byClassNote}</p>
        </section>
      )}
      <section className="sheet-two">
        <Points title={words.says} icon="check" lines={says(certificate)} />
        <Points title={words.saysNot} icon="close" lines={saysNot(certificate)} />
      </section>
      <Facts title={words.who} rows={whoFacts(certificate, summary, report)} />
      <Facts title={words.files} rows={fileFacts(certificate, project.pool)} />
      {questions.length > 1 && <Questions questions={questions} />}
      {summary?.verify !== undefined && (
        <section>
          <h2>{words.check}</h2>
          <CopiedLine text={summary.verify} kind="plain" />
          <p className="caption">{words.checkNote(draws)}</p>
        </section>
      )}
    </Frame>
  )
}

/** What the same answers say class by class; nothing where answers have come since, or were changed. */
function useReport({ model, answers }: Certificate, summary: CertificateSummary | undefined): Report | undefined {
  const { value } = useLoaded(() => api.report(model), `${model} ${answers}`)
  return value?.answers === answers && summary?.isRevised === false ? value : undefined
}

const fewQuestions = 8 // of more, those that people ask first stand above already

/** Everything that was asked, the headline's question first. */
function Questions({ questions }: { questions: readonly CertifiedQuestion[] }) {
  const isTogether = questions.some(({ together }) => together)
  const labels = rowLabels(questions)
  const { question, estimate, limits, together, state } = words.columns
  const titles = [question, estimate, limits, ...(isTogether ? [together] : []), state]
  return (
    <details className="sheet-all" open={questions.length <= fewQuestions}>
      <summary>{words.all(questions.length)}</summary>
      <table className="sheet-facts sheet-questions">
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {questions.map((asked, k) => (
            <tr key={labels[k]}>
              <th scope="row">{sentence(labels[k]!)}</th>
              <td>{estimateWords(asked)}</td>
              <td>{limitWords(asked)}</td>
              {isTogether && <td>{limitWords({ ...asked, ...asked.together })}</td>}
              <td>{asked.state === 'defined' ? '' : stateText(asked.state)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="caption">{levelsText(questions)}</p>
    </details>
  )
}

function Picture({ asked }: { asked: CertifiedQuestion }) {
  const { question, value, low, high } = asked
  if (value === null || low === null || high === null) return null
  const [scale, unit] = [scaleWords(question), unitOf(question)]
  const measured = { value, low, high }
  return (
    <section>
      <PlotFigure
        label={`${scale}. Interval from ${rangeText(measured, unit)}, estimate ${valueText(measured, unit)}.`}
        height={112}
        draw={(draw, size) => draw.intervalPicture({ ...measured, unit }, size)}
        caption={words.picture(scale, pictureWords(asked))}
      />
    </section>
  )
}

/** A certificate that an earlier release wrote: what it said, and what is to be known of that. */
export function EarlierSheet({ certificate, summary, project }: Props & { certificate: EarlierCertificate }) {
  return (
    <Frame project={project} summary={summary}>
      <Note kind="warn">{earlierWords(certificate.metric)}</Note>
      <section>
        <h2>{words.said}</h2>
        <p className="lede">{words.quoted(certificate.claim)}</p>
      </section>
      <Facts title={words.facts} rows={earlierFacts(certificate, summary)} />
    </Frame>
  )
}

/** What every sheet begins with, and why a certificate no longer stands, if it does not. */
function Frame({ project, summary, children }: Props & { children: ReactNode }) {
  return (
    <article className="sheet" aria-label={words.name}>
      <div className="spread sheet-top">
        <strong>
          <Mark />
          {words.name}
          {summary?.isRevised && <Tag>{words.void}</Tag>}
          {summary?.isEarlier && <Tag>{words.earlier}</Tag>}
        </strong>
        <span>{[project.name, summary && dayOf(summary.time)].filter(Boolean).join(' · ')}</span>
      </div>
      {summary?.isRevised && (
        <Note kind="warn">
          <b>{words.voided}</b> {words.voidWhy}
        </Note>
      )}
      {children}
    </article>
  )
}

function Points({ title, icon, lines }: { title: string; icon: 'check' | 'close'; lines: readonly string[] }) {
  return (
    <div>
      <h2>{title}</h2>
      <ul className={`sheet-points ${icon}`}>
        {lines.map((line) => (
          <li key={line}>
            <Icon name={icon} size={16} />
            {line}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Facts({ title, rows }: { title: string; rows: readonly (readonly [...Fact, hash?: string])[] }) {
  return (
    <section className={title === words.who ? 'sheet-who' : undefined}>
      <h2>{title}</h2>
      <table className="sheet-facts">
        <tbody>
          {rows.map(([name, said, hash]) => (
            <tr key={name}>
              <th scope="row" dir="auto">
                {name}
              </th>
              <td dir="auto">
                {said}
                {hash !== undefined && <span className="mono">{hash}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

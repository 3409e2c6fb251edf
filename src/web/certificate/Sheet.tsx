import type { ReactNode } from 'react'
import { unitOf } from '../../metrics/metric-labels.ts'
import type { CertificateSummary, Project } from '../../protocol/project.ts'
import type { Report } from '../../protocol/report.ts'
import type { Certificate, CertifiedQuestion } from '../../questions/certificate.ts'
import { type EarlierCertificate, earlierWords } from '../../questions/earlier.ts'
import { levelsText, rowLabels, stateText } from '../../questions/words.ts'
import { rangeText, valueText } from '../../text/shares.ts'
import { count, sentence } from '../../text/wording.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../api/use-requests.ts'
import { Icon, Mark } from '../parts/Icon.tsx'
import { CopiedLine, Note, Tag } from '../parts/Note.tsx'
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
  voidWords,
  words,
} from '../text/certificate.ts'
import { aboutFacts, earlierFacts, type Fact, factsOf, hashesOf } from '../text/certificate-facts.ts'

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
          {claim.limits && (
            <>
              <b>{claim.limits.low}</b> and <b>{claim.limits.high}</b>
            </>
          )}
          {claim.after}
        </h1>
        <p className="lede">{restWords(certificate)}</p>
      </section>
      {questions.length > 1 && <Questions questions={questions} />}
      {first && <Picture asked={first} />}
      <section className="sheet-two">
        <Points title="What it says" icon="check" lines={says(certificate)} />
        <Points title="What it does not say" icon="close" lines={saysNot(certificate)} />
      </section>
      <Facts title={words.asked} rows={aboutFacts(project, summary?.people, report)} />
      {report && report.classes.length > 0 && (
        <section>
          <h2>{words.byClass}</h2>
          <ClassTable classes={report.classes} />
          <p className="caption">{words.byClassNote}</p>
        </section>
      )}
      <Facts title="Facts" rows={factsOf(certificate, summary)} />
      <Facts title="Hashes" rows={hashesOf(certificate)} isMono />
      {summary?.verify !== undefined && (
        <section>
          <h2>How to verify</h2>
          <CopiedLine text={summary.verify} kind="plain" />
          <p className="caption">
            Recomputes every hash, draw, probability and limit from the record, and fails on any difference. It needs the record
            and the pool, not this page. The file holds all {count(draws)} draws with their answers.
          </p>
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

/** Everything that was asked, the headline's question first. */
function Questions({ questions }: { questions: readonly CertifiedQuestion[] }) {
  const isTogether = questions.some(({ together }) => together)
  const labels = rowLabels(questions)
  return (
    <section>
      <h2>Everything that was asked</h2>
      <table className="sheet-facts sheet-questions">
        <thead>
          <tr>
            {['Question', 'Estimate', 'Limits', ...(isTogether ? ['All at once'] : []), 'State'].map((title) => (
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
              <td>{stateText(asked.state)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="caption">{levelsText(questions)}</p>
    </section>
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
        caption={
          <>
            {scale}. {pictureWords(asked)}
          </>
        }
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
        <h2>What it said</h2>
        <p className="lede">“{certificate.claim}”</p>
      </section>
      <Facts title="Facts" rows={earlierFacts(certificate, summary)} />
      <Facts title="Hashes" rows={hashesOf(certificate)} isMono />
    </Frame>
  )
}

/** What every sheet begins with, and why a certificate no longer stands, if it does not. */
function Frame({ project, summary, children }: Props & { children: ReactNode }) {
  return (
    <article className="sheet" aria-label="Certificate">
      <div className="spread sheet-top">
        <strong>
          <Mark />
          Certificate
          {summary?.isRevised && <Tag>Void</Tag>}
          {summary?.isEarlier && <Tag>Earlier release</Tag>}
        </strong>
        <span>{[project.name, summary && dayOf(summary.time)].filter(Boolean).join(' · ')}</span>
      </div>
      {summary?.isRevised && (
        <Note kind="warn">
          <b>{voidWords}.</b> It is about the answers as they stood when it was written, not as they stand now.
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

function Facts({ title, rows, isMono }: { title: string; rows: readonly Fact[]; isMono?: boolean }) {
  return (
    <section>
      <h2>{title}</h2>
      <table className="sheet-facts">
        <tbody>
          {rows.map(([name, words]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className={isMono ? 'mono' : undefined}>{words}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

import { metricLabel, unitOf } from '../../metrics/metric-labels.ts'
import type { CertificateSummary, Project } from '../../protocol/project.ts'
import type { Certificate, CertifiedQuestion } from '../../questions/certificate.ts'
import { levelsText, stateText } from '../../questions/words.ts'
import { rangeText, valueText } from '../../text/shares.ts'
import { count, sentence } from '../../text/wording.ts'
import { CopiedLine } from '../parts/CopiedLine.tsx'
import { PlotFigure } from '../plots/PlotFigure.tsx'
import { factsOf, hashesOf } from './facts.ts'
import { Facts, Points, SheetTop, VoidNote } from './parts.tsx'
import { claimOf, estimateWords, firstOf, limitWords, pictureWords, restWords, says, saysNot, scaleWords } from './words.ts'

interface Props {
  certificate: Certificate
  /** What the project knows beside the file: when, and whether an answer was revised since. */
  summary: CertificateSummary | undefined
  project: Project
}

export function Sheet({ certificate, summary, project }: Props) {
  const { questions, rounds } = certificate
  const draws = rounds.reduce((sum, round) => sum + round.draws.length, 0)
  const [first, claim] = [firstOf(certificate), claimOf(certificate)]
  return (
    <article className="sheet" aria-label="Certificate">
      <SheetTop project={project} summary={summary} />
      <VoidNote summary={summary} />
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
      <section>
        <h2>Facts</h2>
        <Facts rows={factsOf(certificate, summary)} />
      </section>
      <section>
        <h2>Hashes</h2>
        <Facts rows={hashesOf(certificate)} isMono />
      </section>
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
    </article>
  )
}

/** Everything that was asked, the headline's question first. */
function Questions({ questions }: { questions: readonly CertifiedQuestion[] }) {
  const isTogether = questions.some(({ together }) => together)
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
          {questions.map((asked) => (
            <tr key={metricLabel(asked.question)}>
              <th scope="row">{sentence(metricLabel(asked.question))}</th>
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

/** The interval of a question, where there is one. */
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

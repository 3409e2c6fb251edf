import { unitOf } from '../../metrics/metric-labels.ts'
import type { CertificateFile } from '../../protocol/certificate.ts'
import type { CertificateSummary, Project } from '../../protocol/project.ts'
import { levelPercentage, rangeText, valueText } from '../../text/shares.ts'
import { count, counted } from '../../text/wording.ts'
import { CopiedLine } from '../parts/CopiedLine.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Mark } from '../parts/Mark.tsx'
import { Tag } from '../parts/Tag.tsx'
import { PlotFigure } from '../plots/PlotFigure.tsx'
import { claimOf, dayOf, factsOf, hashesOf, says, saysNot, scaleWords } from './words.ts'

interface Props {
  certificate: CertificateFile
  /** What the project knows beside the file: when, and whether an answer was revised since. */
  summary: CertificateSummary | undefined
  project: Project
}

export function Sheet({ certificate, summary, project }: Props) {
  const { level, answers } = certificate
  const claim = claimOf(certificate)
  const scale = scaleWords(certificate)
  const unit = unitOf(certificate)
  return (
    <article className="sheet" aria-label="Certificate">
      <div className="spread sheet-top">
        <strong>
          <Mark />
          Certificate
          {summary?.isRevised && <Tag>Revised</Tag>}
        </strong>
        <span>{[project.name, summary && dayOf(summary.time)].filter(Boolean).join(' · ')}</span>
      </div>
      <section>
        <h1 className="sheet-claim">
          {claim.before} <b>{claim.low}</b> and <b>{claim.high}</b>
          {claim.after}
        </h1>
        <p className="lede">
          Level {levelPercentage(level)}. From {counted(answers, 'answer')} to points drawn at random with known probabilities.
          The interval stays valid however often it was looked at.
        </p>
      </section>
      <section>
        <PlotFigure
          label={`${scale}. Interval from ${rangeText(certificate, unit)}, estimate ${valueText(certificate, unit)}.`}
          height={112}
          draw={(draw, size) => draw.intervalPicture({ ...certificate, unit }, size)}
          caption={
            <>
              {scale}. The dot is the best single estimate, the band the {levelPercentage(level)} interval.
            </>
          }
        />
      </section>
      <section className="sheet-two">
        <Points title="What it says" icon="check" lines={says(certificate)} />
        <Points title="What it does not say" icon="close" lines={saysNot(certificate)} />
      </section>
      <section>
        <h2>Facts</h2>
        <Facts rows={factsOf(certificate, summary, project)} />
      </section>
      <section>
        <h2>Hashes</h2>
        <Facts rows={hashesOf(certificate)} isMono />
      </section>
      {summary && (
        <section>
          <h2>How to verify</h2>
          <CopiedLine text={summary.verify} kind="plain" />
          <p className="caption">
            Recomputes every hash, draw, probability and the interval from the record, and fails on any difference. It needs the
            record and the pool, not this page. The file holds all {count(certificate.draws.length)} draws with their answers.
          </p>
        </section>
      )}
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

function Facts({ rows, isMono }: { rows: readonly (readonly [string, string])[]; isMono?: boolean }) {
  return (
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
  )
}

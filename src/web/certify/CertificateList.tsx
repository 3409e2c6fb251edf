import { metrics } from '../../metrics/catalogue.ts'
import { unitOf } from '../../metrics/metric-labels.ts'
import type { CertificateSummary } from '../../protocol/project.ts'
import { earlierWords } from '../../questions/earlier.ts'
import { levelPercentage, rangeText } from '../../text/shares.ts'
import { count, counted, sentence } from '../../text/wording.ts'
import { dayOf, voidWords } from '../certificate/words.ts'
import { Card } from '../parts/Card.tsx'
import { Tag } from '../parts/Tag.tsx'
import { certificatePath, Link } from '../shell/routes.tsx'

/** Certificates on record, newest first. */
export function CertificateList({ certificates }: { certificates: readonly CertificateSummary[] }) {
  if (certificates.length === 0) return null
  return (
    <Card title="Certificates">
      <ul className="certify-list lined">
        {certificates
          .toSorted((a, b) => b.time.localeCompare(a.time))
          .map((certificate) => (
            <li key={certificate.seal}>
              <Link to={certificatePath(certificate.seal)}>{titleOf(certificate)}</Link>
              <span className="small faint">
                level {levelPercentage(certificate.level)}, {counted(certificate.answers, 'answer')}, {dayOf(certificate.time)}
              </span>
              {certificate.isRevised && <Tag>{voidWords}</Tag>}
              {certificate.isEarlier && <span className="small">{earlierWords(certificate.metric)}</span>}
            </li>
          ))}
      </ul>
    </Card>
  )
}

/** "Recall of spam: 81 % to 93 %, and 3 more" */
function titleOf(certificate: CertificateSummary): string {
  const { questions, metric, best } = certificate
  if (best && questions.length === 0) return `Best model: ${best.model ?? 'not proven'}`
  const first = questions[0] ?? certificate
  const name = sentence(questions[0]?.label ?? metrics[metric].word)
  const more = questions.length > 1 ? `, and ${count(questions.length - 1)} more` : ''
  return `${name}: ${rangeText(certificate, unitOf(first)) ?? 'not defined'}${more}`
}

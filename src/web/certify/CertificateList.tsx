import { metrics } from '../../metrics/catalogue.ts'
import { unitOf } from '../../metrics/metric-labels.ts'
import type { CertificateSummary } from '../../protocol/project.ts'
import { levelPercentage, rangeText } from '../../text/shares.ts'
import { counted, sentence } from '../../text/wording.ts'
import { dayOf } from '../certificate/words.ts'
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
              <Link to={certificatePath(certificate.seal)}>
                {sentence(metrics[certificate.metric].word)}: {rangeText(certificate, unitOf(certificate))}
              </Link>
              <span className="small faint">
                level {levelPercentage(certificate.level)}, {counted(certificate.answers, 'answer')}, {dayOf(certificate.time)}
              </span>
              {certificate.isRevised && <Tag>Revised</Tag>}
            </li>
          ))}
      </ul>
    </Card>
  )
}

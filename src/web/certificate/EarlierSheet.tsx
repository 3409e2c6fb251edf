import type { CertificateSummary, Project } from '../../protocol/project.ts'
import { type EarlierCertificate, earlierWords } from '../../questions/earlier.ts'
import { Note } from '../parts/Note.tsx'
import { earlierFacts, hashesOf } from './facts.ts'
import { Facts, SheetTop, VoidNote } from './parts.tsx'

interface Props {
  certificate: EarlierCertificate
  summary: CertificateSummary | undefined
  project: Project
}

/** A certificate that an earlier release wrote: what it said, and what is to be known of that. */
export function EarlierSheet({ certificate, summary, project }: Props) {
  return (
    <article className="sheet" aria-label="Certificate">
      <SheetTop project={project} summary={summary} />
      <VoidNote summary={summary} />
      <Note kind="warn">{earlierWords(certificate.metric)}</Note>
      <section>
        <h2>What it said</h2>
        <p className="lede">“{certificate.claim}”</p>
      </section>
      <section>
        <h2>Facts</h2>
        <Facts rows={earlierFacts(certificate, summary)} />
      </section>
      <section>
        <h2>Hashes</h2>
        <Facts rows={hashesOf(certificate)} isMono />
      </section>
    </article>
  )
}

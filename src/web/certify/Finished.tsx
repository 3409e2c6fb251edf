import type { Project } from '../../protocol/project.ts'
import { CertificateList } from './CertificateList.tsx'

/** An audit of predictions that has come to its end, or not begun. */
export function Finished({ project }: { project: Project }) {
  const isDone = project.certificates.length > 0
  return (
    <main className="page" tabIndex={-1}>
      <header>
        <h1>{isDone ? 'The audit is finished.' : 'No certificate yet.'}</h1>
        <p className="lede">
          {isDone
            ? 'What it found is in its certificate, with every draw and answer it rests on.'
            : 'It is written when the audit reaches its goal, or when you stop it.'}
        </p>
      </header>
      <CertificateList certificates={project.certificates} />
    </main>
  )
}

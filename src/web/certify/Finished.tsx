import type { Project } from '../../protocol/project.ts'
import { Page } from '../parts/Page.tsx'
import { CertificateList } from './CertificateList.tsx'

/** An audit of predictions that has come to its end, or not begun. */
export function Finished({ project: { certificates } }: { project: Project }) {
  const [title, lede] =
    certificates.length > 0
      ? ['The audit is finished.', 'What it found is in its certificate, with every draw and answer it rests on.']
      : ['No certificate yet.', 'It is written when the audit reaches its goal, or when you stop it.']
  return (
    <Page title={title} lede={lede}>
      <CertificateList certificates={certificates} />
    </Page>
  )
}

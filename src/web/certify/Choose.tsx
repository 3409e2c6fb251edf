import type { Project } from '../../protocol/project.ts'
import { Page } from '../parts/Page.tsx'
import { PrimaryLink } from '../shell/PrimaryLink.tsx'
import { CertificateList } from './CertificateList.tsx'
import { GoalForm } from './GoalForm.tsx'
import './certify.css'

/** What shall be said of the model, and about what it will cost. */
export function Choose({ project: { model, certificates } }: { project: Project }) {
  return (
    <Page
      title="Certify this model"
      lede="Freeze the model as it is now and measure it on points drawn afresh, until the interval is as narrow as you ask. The answers never train the certified model; they may train later ones."
      more={!model && <p className="lede">There is no model yet: the first round teaches the first one.</p>}
      actions={!model && <PrimaryLink to="/label">Go to round 1</PrimaryLink>}
    >
      {model && <GoalForm model={model} />}
      <CertificateList certificates={certificates} />
    </Page>
  )
}

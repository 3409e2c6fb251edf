import { type ReactNode, useEffect } from 'react'
import type { Audit, Project } from '../../protocol/project.ts'
import { Failed } from '../label/Failed.tsx'
import { Held } from '../label/Held.tsx'
import { labelling } from '../label/labelling.ts'
import { Stage } from '../label/Stage.tsx'
import { useLabelling } from '../label/state.ts'
import { StateCard } from '../parts/StateCard.tsx'
import { AuditAside } from './AuditAside.tsx'

/** The draws of an audit with the same keys as labelling, and beside them the one interval that narrows. */
export function AuditView({ project, audit }: { project: Project; audit: Audit }) {
  // A learning round that waits to be left would hold up the first draws.
  const { isComplete } = useLabelling()
  useEffect(() => {
    if (isComplete) labelling.next()
  }, [isComplete])
  return (
    <main className="certify-audit" tabIndex={-1}>
      {standInOf(project, audit) ?? <Stage project={project} />}
      <AuditAside project={project} audit={audit} />
    </main>
  )
}

/** What stands in the point's place, if anything does. */
function standInOf(project: Project, audit: Audit): ReactNode {
  const { phase } = project
  if (phase.kind === 'failed')
    return (
      <Held>
        <Failed project={project} failure={phase.failure} />
      </Held>
    )
  if (phase.kind === 'asking') return undefined
  const isFirst = audit.steps.length === 0
  const [title, lede] = audit.isReached
    ? ['Writing the certificate', 'What was asked for is reached.']
    : [
        `Drawing the ${isFirst ? 'first' : 'next'} points`,
        'All answers are saved. You can leave; the draws will be here when you come back.',
      ]
  return (
    <Held isPatient key={isFirst ? 'first' : 'next'}>
      <StateCard role="status" about="Audit" title={title} lede={lede} />
    </Held>
  )
}

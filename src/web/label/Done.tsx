import { useState } from 'react'
import type { Project } from '../../protocol/project.ts'
import { counted } from '../../text/wording.ts'
import { Button } from '../parts/Button.tsx'
import { StateCard } from '../parts/StateCard.tsx'
import { PrimaryLink } from '../shell/PrimaryLink.tsx'
import { Link } from '../shell/routes.tsx'
import { RaiseBudget } from './RaiseBudget.tsx'

/** The budget is spent, or every point is answered. */
export function Done({ project }: { project: Project }) {
  const [isRaising, setRaising] = useState(false)
  const canRaise = project.answers < project.points
  return (
    <StateCard
      takesFocus
      about="Project"
      title={`All ${counted(project.answers, 'answer')} are in.`}
      lede="The model has learned from every one of them. To say how wrong it is, certify it: a fresh draw, measured apart from what it learned from."
      actions={
        <>
          <PrimaryLink to="/certify">Certify this model</PrimaryLink>
          <Link className="button plain" to="/data?tab=predictions">
            Export predictions
          </Link>
          {canRaise && (
            <Button kind="bare" aria-expanded={isRaising} onClick={() => setRaising(!isRaising)}>
              Raise the budget
            </Button>
          )}
        </>
      }
    >
      {isRaising && <RaiseBudget project={project} />}
    </StateCard>
  )
}

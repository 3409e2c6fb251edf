import type { Project } from '../../protocol/project.ts'
import { Page } from '../parts/Page.tsx'
import { AuditProgress } from './AuditProgress.tsx'
import { BudgetCard } from './BudgetCard.tsx'
import { ClassesCard } from './ClassesCard.tsx'
import { ErrorCard } from './ErrorCard.tsx'
import { ForecastCard } from './ForecastCard.tsx'
import { headOf } from './head.tsx'
import { WeightsCard } from './WeightsCard.tsx'
import { progressOf } from './words.ts'
import './progress.css'

/** How wrong the model was, what that rests on, and what it would cost to know better. */
export function ProgressView({ project }: { project: Project }) {
  if (project.purpose === 'audit') return <AuditProgress project={project} />
  const state = progressOf(project)
  return (
    <Page {...headOf(project, state)}>
      {state.kind === 'measured' && (
        <div className="cols progress-cols">
          <ErrorCard project={project} />
          <ForecastCard forecast={project.forecast} />
        </div>
      )}
      {project.answers > 0 && (
        <div className="cols progress-thirds">
          <ClassesCard project={project} />
          <WeightsCard rounds={project.rounds} />
          <BudgetCard project={project} />
        </div>
      )}
    </Page>
  )
}

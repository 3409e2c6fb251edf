import type { ReactNode } from 'react'
import type { Project } from '../../protocol/project.ts'
import { levelPercentage, rangeText, valueText } from '../../text/shares.ts'
import { counted, noEstimate } from '../../text/wording.ts'
import { Page } from '../parts/Card.tsx'
import type { MeasuredRound } from '../plots/drawings/rounds.ts'
import { noEstimateYet } from '../plots/sentences.ts'
import { PrimaryLink } from '../shell/routes.tsx'
import { AuditProgress } from './AuditProgress.tsx'
import { BudgetCard } from './BudgetCard.tsx'
import { ClassesCard, ErrorCard, ForecastCard, WeightsCard } from './cards.tsx'
import { type ProgressState, progressOf } from './words.ts'
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

interface Head {
  readonly title: ReactNode
  readonly lede: ReactNode
  readonly more?: ReactNode
  readonly actions?: ReactNode
}

function headOf({ strategy }: Project, state: ProgressState): Head {
  switch (state.kind) {
    case 'measured':
      return {
        title: (
          <>
            Before round {state.round.number} the model was wrong on about {valueText(state.round.estimate)}.
          </>
        ),
        lede: <MeasuredLede {...state.round} />,
        more: !strategy.isRandom && <p className="caption">For later rounds: {noEstimate}</p>,
      }
    case 'silent':
      return {
        title: 'No estimate.',
        lede: noEstimate,
        actions: <PrimaryLink to="/certify">Certify this model</PrimaryLink>,
      }
    case 'empty':
      return {
        title: 'No estimate yet.',
        lede: noEstimateYet,
        actions: <PrimaryLink to="/label">Go to round {state.next}</PrimaryLink>,
      }
  }
}

function MeasuredLede({ estimate }: MeasuredRound) {
  const range = rangeText(estimate)
  const rests = `rests on the ${counted(estimate.answers, 'answer')} of that round`
  return (
    <>
      That is a share of the points then unlabelled.{' '}
      {range ? (
        <>
          The {levelPercentage(estimate.level)} interval runs from <b>{range}</b>, {rests}, and holds whenever you look.
        </>
      ) : (
        <>It {rests}.</>
      )}
      {estimate.isRevised && ' An answer it rests on was revised after the round had closed.'}
    </>
  )
}

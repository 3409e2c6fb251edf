import { type ReactNode, useState } from 'react'
import type { Project } from '../../protocol/project.ts'
import { count, counted, noEstimate } from '../../text/wording.ts'
import { NowSentence } from '../now/Sentence.tsx'
import { Page } from '../parts/Card.tsx'
import { certificatePath, Link, PrimaryLink } from '../shell/routes.tsx'
import { certifiedOf, lookTexts, notByLot, nowStateOf, unitOf } from '../text/now.ts'
import { AuditProgress } from './AuditProgress.tsx'
import { BudgetCard } from './BudgetCard.tsx'
import { BandCard, ClassesCard, GoalsCard } from './cards.tsx'
import './progress.css'

/** How wrong the model is, how that is known, and what it would cost to know better. */
export function ProgressView({ project }: { project: Project }) {
  return project.purpose === 'audit' ? <AuditProgress project={project} /> : <LearningProgress project={project} />
}

function LearningProgress({ project }: { project: Project }) {
  const [asked, setAsked] = useState(0)
  const { now } = project
  return (
    <Page
      eyebrow={`${counted(project.answers, 'answer')}, of ${count(project.points)} ${unitOf(project)}`}
      {...headOf(project, () => setAsked(asked + 1))}
    >
      {now && now.looks.length > 0 && (
        <div className="cols progress-cols">
          <BandCard project={project} now={now} asked={asked} />
          <GoalsCard project={project} />
        </div>
      )}
      {project.answers > 0 && (
        <div className="cols progress-halves">
          <ClassesCard project={project} />
          <BudgetCard project={project} />
        </div>
      )}
    </Page>
  )
}

interface Head {
  readonly title: ReactNode
  readonly lede?: ReactNode
  readonly more?: ReactNode
  readonly actions?: ReactNode
}

function headOf(project: Project, onWhy: () => void): Head {
  const state = nowStateOf(project)
  const { now, strategy } = project
  if (state.kind === 'none' && (now?.looks.length ?? 0) > 0)
    return { title: state.words, lede: 'Nothing is left to be wrong about.' }
  if (state.kind === 'none')
    return strategy.isRandom
      ? {
          title: 'Nothing to show yet.',
          lede: 'The first answers teach the first model. An estimate follows, and from 100 answers on a range stands here and narrows.',
          actions: <PrimaryLink to="/label">Start answering</PrimaryLink>,
        }
      : {
          title: notByLot,
          lede: `What was picked says nothing certain of the rest. ${noEstimate}`,
          actions: <PrimaryLink to="/certify">Certify this model</PrimaryLink>,
        }
  return {
    title: (
      <span className="say">
        <NowSentence project={project} onWhy={onWhy} />
      </span>
    ),
    lede: certifiedWords(project),
    more: (
      <>
        {now?.isBehind && project.phase.kind !== 'opening' && (
          <p className="caption">An answer was changed: the range is being worked out again.</p>
        )}
        {!strategy.isRandom && <p className="caption">For what is asked from here on: {noEstimate}</p>}
      </>
    ),
  }
}

/** Once a model is certified: which of two numbers is about which model. */
function certifiedWords(project: Project): ReactNode {
  const certified = certifiedOf(project)
  if (!certified) return undefined
  const { value, low, high } = lookTexts(certified)
  const isSame = certified.model === project.model?.id
  return (
    <>
      {isSame ? 'It has' : 'It has learned since the certificate, and is not certified. The certified model, the one after round'}{' '}
      {isSame ? 'a certificate of its own: wrong' : `${certified.after}, is wrong`} on about {value}, surely between <b>{low}</b>{' '}
      and <b>{high}</b>. <Link to={certificatePath(certified.seal)}>See the certificate</Link>
    </>
  )
}

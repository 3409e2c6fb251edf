import { type ReactNode, useState } from 'react'
import type { Project } from '../../protocol/project.ts'
import { count, counted, noEstimate } from '../../text/wording.ts'
import { NowSentence } from '../now/Sentence.tsx'
import { Page } from '../parts/Card.tsx'
import { rich } from '../parts/rich.tsx'
import { certificatePath, Link, PrimaryLink } from '../shell/routes.tsx'
import { certifiedOf, lookTexts, notByLot, nowStateOf, unitOf } from '../text/now.ts'
import { words } from '../text/progress.ts'
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
      eyebrow={words.eyebrow(counted(project.answers, 'answer'), `${count(project.points)} ${unitOf(project)}`)}
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
  if (state.kind === 'none' && (now?.looks.length ?? 0) > 0) return { title: state.words, lede: words.allKnown }
  if (state.kind === 'none')
    return strategy.isRandom
      ? {
          title: words.nothing,
          lede: words.nothingWhy,
          actions: <PrimaryLink to="/label">{words.start}</PrimaryLink>,
        }
      : {
          title: notByLot,
          lede: `${words.picked} ${noEstimate}`,
          actions: <PrimaryLink to="/certify">{words.certify}</PrimaryLink>,
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
        {now?.isBehind && project.phase.kind !== 'opening' && <p className="caption">{words.behind}</p>}
        {!strategy.isRandom && (
          <p className="caption">
            {words.fromHere} {noEstimate}
          </p>
        )}
      </>
    ),
  }
}

/** Once a model is certified: which of two numbers is about which model. */
function certifiedWords(project: Project): ReactNode {
  const certified = certifiedOf(project)
  if (!certified) return undefined
  const { value, low, high } = lookTexts(certified)
  const link = <Link to={certificatePath(certified.seal)}>{words.seeCertificate}</Link>
  if (certified.model === project.model?.id) return link
  return <>{rich(words.learnedSince(certified.after), { value, low: <b>{low}</b>, high: <b>{high}</b>, link })}</>
}

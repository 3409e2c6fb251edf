import { type ReactNode, useEffect, useState } from 'react'
import type { RunningGoal } from '../../protocol/now.ts'
import type { Project } from '../../protocol/project.ts'
import { useKeys } from '../keys/use-keys.ts'
import { StateCard } from '../parts/Card.tsx'
import { Meter } from '../parts/Note.tsx'
import { stored } from '../state/storage.ts'
import { cards } from '../text/label.ts'
import { NowStrip } from './NowStrip.tsx'
import { Rail } from './Rail.tsx'
import { Stage } from './Stage.tsx'
import { AtRest, BeingCertified, Done, Failed, Held, Learning, Reached } from './stand-ins.tsx'
import { type LabellingState, useLabelling } from './state.ts'
import './label.css'

/** One thing, large; its answers; what was answered and what that showed. */
export function LabelView({ project }: { project: Project }) {
  const state = useLabelling()
  const [isRailOpen, setRailOpen] = useState(true)
  const toggleRail = () => setRailOpen(!isRailOpen)
  const goal = useReached(project, state)
  useKeys({ rail: toggleRail })
  return (
    <>
      <NowStrip project={project} />
      <main className={isRailOpen ? 'work' : 'work is-closed'} id="main" tabIndex={-1}>
        {standInOf(project, state, goal) ?? <Stage project={project} />}
        <Rail project={project} isOpen={isRailOpen} onToggle={toggleRail} />
      </main>
    </>
  )
}

interface JustReached {
  readonly goal: RunningGoal
  readonly goOn: () => void
}

/** The finest goal that is reached, until it has been told: once for each, and never between a key and its answer. */
function useReached(project: Project, { round }: LabellingState): JustReached | undefined {
  const told = stored('local', `alis:reached:${project.path}`)
  const [, again] = useState(0)
  const goal = project.now?.goals.findLast(({ isReached }) => isReached)
  const isKnown = told.read() !== undefined
  useEffect(() => {
    if (!isKnown && project.now) told.write(String(goal?.tolerance ?? 1)) // what was reached before this browser came is not news
  }, [isKnown, project.now])
  const isBetween = round === undefined || round.answers.size === 0
  if (!goal || !isKnown || !isBetween || project.phase.kind === 'done' || project.isCertified) return undefined
  const known = Number(told.read() ?? 1)
  if (goal.tolerance >= known) return undefined
  const goOn = () => {
    told.write(String(goal.tolerance))
    again((n) => n + 1)
  }
  return { goal, goOn }
}

/** What stands in the place of the thing, if anything does. */
function standInOf(project: Project, { round, revision }: LabellingState, reached: JustReached | undefined): ReactNode {
  const { phase } = project
  if (phase.kind === 'failed') return held(<Failed project={project} failure={phase.failure} />)
  if (revision) return undefined
  if (phase.kind === 'done') return held(project.isCertified ? <AtRest project={project} /> : <Done project={project} />)
  if (phase.kind === 'loading') return held(<Loading share={phase.share} />, true)
  const isOpening = phase.kind === 'opening'
  if (phase.purpose === 'audit') return held(<BeingCertified />, isOpening)
  if (reached) return held(<Reached project={project} goal={reached.goal} onGoOn={reached.goOn} />)
  if (isOpening) return held(<Learning project={project} phase={phase} />, true)
  return round ? undefined : held(<Learning project={project} />, true)
}

function held(card: ReactNode, isPatient = false) {
  return <Held isPatient={isPatient}>{card}</Held>
}

function Loading({ share }: { share: number | null }) {
  return (
    <StateCard role="status" title={cards.opening}>
      <Meter label={cards.reading} share={share} />
    </StateCard>
  )
}

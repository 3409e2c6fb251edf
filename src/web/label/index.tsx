import { type ReactNode, useEffect, useState } from 'react'
import type { Project } from '../../protocol/project.ts'
import { useKeys } from '../keys/use-keys.ts'
import { StateCard } from '../parts/Card.tsx'
import { Meter } from '../parts/Note.tsx'
import { Segmented } from '../parts/Segmented.tsx'
import { NowStrip } from './NowStrip.tsx'
import { Rail } from './Rail.tsx'
import { Stage } from './Stage.tsx'
import { BeingCertified, Done, Failed, Finished, Fitting, Held } from './stand-ins.tsx'
import { type LabellingState, useLabelling } from './state.ts'
import './label.css'

type Tab = 'point' | 'answers' | 'plot'

const tabs: { value: Tab; text: string }[] = [
  { value: 'point', text: 'Point' },
  { value: 'answers', text: 'Last answers' },
  { value: 'plot', text: 'Plot' },
]

/** One point, large; its labels; what was answered and what that showed. */
export function LabelView({ project }: { project: Project }) {
  const state = useLabelling()
  const [isRailOpen, setRailOpen] = useState(true)
  const [tab, setTab] = useState<Tab>('point')
  const toggleRail = () => setRailOpen(!isRailOpen)
  useKeys({ rail: toggleRail })
  // On a narrow screen a point opened from the last ten is behind a tab.
  useEffect(() => setTab('point'), [state.revision, state.round?.revising])

  return (
    <>
      <NowStrip project={project} />
      <main className={isRailOpen ? 'work' : 'work is-closed'} id="main" data-tab={tab} tabIndex={-1}>
        <Segmented className="work-tabs" label="View" role="tablist" options={tabs} value={tab} onChange={setTab} />
        {standInOf(project, state) ?? <Stage project={project} />}
        <Rail project={project} isOpen={isRailOpen} onToggle={toggleRail} />
      </main>
    </>
  )
}

/** What stands in the point's place, if anything does. */
function standInOf(project: Project, { round, isComplete, revision }: LabellingState): ReactNode {
  const { phase } = project
  if (phase.kind === 'failed') return held(<Failed project={project} failure={phase.failure} />)
  if (revision) return undefined
  if (isComplete && round)
    return (
      <Held key={round.round}>
        <Finished project={project} round={round} />
      </Held>
    )
  if (phase.kind === 'done') return held(<Done project={project} />)
  if (phase.kind === 'loading') return held(<Loading share={phase.share} />, true)
  const isOpening = phase.kind === 'opening'
  if (phase.purpose === 'audit') return held(<BeingCertified />, isOpening)
  return isOpening ? held(<Fitting project={project} phase={phase} />, true) : undefined
}

function held(card: ReactNode, isPatient = false) {
  return <Held isPatient={isPatient}>{card}</Held>
}

function Loading({ share }: { share: number | null }) {
  return (
    <StateCard role="status" title="Opening the project">
      <Meter label="Reading the pool" share={share} />
    </StateCard>
  )
}

import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import type { State } from '../protocol/project.ts'
import { reconnect, useServer } from './api/store.ts'
import { useKeys } from './keys/use-keys.ts'
import { GoalTrack } from './label/GoalTrack.tsx'
import { LabelView } from './label/index.tsx'
import { Button } from './parts/Button.tsx'
import { Panel, StateCard } from './parts/Card.tsx'
import { FailureNote } from './parts/Note.tsx'
import { useAfter } from './parts/use-timers.ts'
import { KeysPanel } from './shell/KeysPanel.tsx'
import { NameFirst, NameForm } from './shell/NameForm.tsx'
import { closePanel, togglePanel, usePanel } from './shell/panels.ts'
import { navigate, usePath } from './shell/routes.tsx'
import { homeOf, TopBar, viewsOf } from './shell/TopBar.tsx'
import { useAnnotator } from './state/annotator.ts'
import { nameWords } from './text/name.ts'
import { shellWords } from './text/shell.ts'

const ProgressView = lazy(async () => ({ default: (await import('./progress/index.tsx')).ProgressView }))
const CertifyView = lazy(async () => ({ default: (await import('./certify/index.tsx')).CertifyView }))
const Data = lazy(async () => ({ default: (await import('./data/index.tsx')).Data }))
const StartView = lazy(async () => ({ default: (await import('./start/index.tsx')).StartView }))

export function App() {
  const { state, failure } = useServer()
  const panel = usePanel()
  const path = usePath()
  const project = state?.project
  useKeys({ help: () => togglePanel('keys'), close: closePanel })

  useEffect(() => {
    document.title = project ? `${project.name} · ALIS` : 'ALIS'
  }, [project?.name])

  return (
    <>
      <button type="button" className="skip" onClick={() => document.querySelector<HTMLElement>('[data-first], main')?.focus()}>
        {shellWords.skip}
      </button>
      <TopBar project={project}>
        {project && (path.startsWith('/label') || (path === '/certify' && project.audit)) && <GoalTrack project={project} />}
      </TopBar>
      <Suspense fallback={<Opening />}>
        {state ? <View state={state} path={path} /> : failure ? <Refused failure={failure} /> : <Opening />}
      </Suspense>
      {panel === 'name' && (
        <Panel id="name" title={nameWords.panel} onClose={closePanel}>
          <NameForm proposed={state?.annotator ?? ''} onDone={closePanel} />
        </Panel>
      )}
      {panel === 'keys' && <KeysPanel classes={project?.classes ?? []} />}
    </>
  )
}

function View({ state, path }: { state: State; path: string }): ReactNode {
  const { project } = state
  const [, view, seal] = path.split('/')
  const name = useAnnotator() ?? state.annotator
  const isRight = project ? viewsOf(project).some(({ path }) => path === `/${view}`) : view === 'start'
  useEffect(() => {
    if (!isRight) navigate(homeOf(project), 'replace')
  }, [isRight, project])

  if (!isRight) return <Opening />
  if (!project) return <StartView strategies={state.strategies} />
  if (name === undefined && (view === 'label' || view === 'certify')) return <NameFirst />
  switch (view) {
    case 'progress':
      return <ProgressView project={project} />
    case 'certify':
      return <CertifyView project={project} seal={seal} />
    case 'data':
      return <Data project={project} />
    default:
      return <LabelView project={project} />
  }
}

/** The server is there and will not let this page in: its code was used, or its secret is of an earlier run of the command. */
function Refused({ failure }: { failure: { message: string; hint?: string | undefined } }) {
  return (
    <main className="stage-centre">
      <StateCard title={shellWords.refused} actions={<Button onClick={reconnect}>{shellWords.again}</Button>}>
        <FailureNote failure={failure} />
      </StateCard>
    </main>
  )
}

const opening = { title: shellWords.opening }
const offline = {
  title: shellWords.offline,
  lede: shellWords.offlineWhy,
}

/** Blank at first: what takes less than a moment needs no words. */
function Opening() {
  const { connection } = useServer()
  const isSlow = useAfter(300)
  return (
    <main className="stage-centre">
      {isSlow && <StateCard role="status" {...(connection === 'online' ? opening : offline)} />}
    </main>
  )
}

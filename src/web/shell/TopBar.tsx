import type { ReactNode } from 'react'
import type { Project } from '../../protocol/project.ts'
import { count } from '../../text/wording.ts'
import { useServer } from '../api/store.ts'
import { shortcutOf } from '../keys/keymap.ts'
import { IconButton } from '../parts/Button.tsx'
import { Icon, Mark } from '../parts/Icon.tsx'
import { initials, useAnnotator } from '../state/annotator.ts'
import { stored } from '../state/storage.ts'
import { words as report } from '../text/report.ts'
import { shellWords as words } from '../text/shell.ts'
import { togglePanel, usePanel } from './panels.ts'
import { Link, usePath } from './routes.tsx'
import './shell.css'

const views = [
  { path: '/label', name: words.views.label },
  { path: '/progress', name: words.views.progress },
  { path: '/certify', name: words.views.certify },
  { path: '/data', name: words.views.data },
]

const auditViews = [
  { path: '/certify', name: report.answer },
  { path: '/progress', name: report.name },
  { path: '/data', name: words.views.data },
]

/** The views of a project. Where nothing is learned there is nothing to label but the draws of the audit. */
export function viewsOf({ purpose, audit, certificates }: Project) {
  if (purpose !== 'audit') return views
  const isRace = audit ? audit.race !== undefined : certificates.at(-1)?.best !== undefined
  return isRace ? auditViews.map((view) => (view.path === '/progress' ? { ...view, name: report.compare } : view)) : auditViews
}

export function homeOf(project: Project | undefined): string {
  if (!project) return '/start'
  return project.purpose === 'audit' ? '/certify' : '/label'
}

/** Project, views, how far the round is, and whether everything is saved. */
export function TopBar({ project, children }: { project: Project | undefined; children?: ReactNode }) {
  const path = usePath()
  const panel = usePanel()
  return (
    <header className="bar">
      <Link className="brand" to={homeOf(project)} aria-label={project ? `ALIS, ${project.name}` : 'ALIS'}>
        <Mark />
        <span>{project?.name ?? 'ALIS'}</span>
      </Link>
      {project && (
        <nav className="nav" aria-label={words.project}>
          {viewsOf(project).map((view) => (
            <Link key={view.path} to={view.path} aria-current={path.startsWith(view.path) ? 'page' : undefined}>
              <span data-room={view.name}>{view.name}</span>
            </Link>
          ))}
        </nav>
      )}
      {children}
      <div className="bar-end">
        {project && <SaveState />}
        {project && <Face />}
        <IconButton label={words.theme} onClick={switchTheme}>
          <Icon name="theme" />
        </IconButton>
        <IconButton
          label={words.keys}
          shortcut={shortcutOf('help')}
          aria-expanded={panel === 'keys'}
          aria-controls="keys"
          onClick={() => togglePanel('keys')}
        >
          <Icon name="keys" />
        </IconButton>
      </div>
    </header>
  )
}

/** Who answers here: initials, and behind them the name to change. */
function Face() {
  const { state } = useServer()
  const panel = usePanel()
  const name = useAnnotator() ?? state?.annotator
  if (name === undefined) return null
  return (
    <IconButton
      label={words.answering(name)}
      aria-expanded={panel === 'name'}
      aria-controls="name"
      onClick={() => togglePanel('name')}
    >
      <span className="face" aria-hidden="true">
        {initials(name)}
      </span>
    </IconButton>
  )
}

/** Light or dark as the system says, until the other is chosen; a choice that agrees with the system again is forgotten. */
function switchTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const now = document.documentElement.dataset.theme || system
  const next = now === 'dark' ? 'light' : 'dark'
  document.documentElement.dataset.theme = next
  stored('local', 'alis:theme').write(next === system ? undefined : next)
}

/** Whether everything given here is on the server's disk. Said aloud only when that is in doubt. */
function SaveState() {
  const { connection, unsaved } = useServer()
  if (connection === 'offline')
    return (
      <span className="save-state is-offline" role="status">
        <Icon name="offline" size={16} />
        {words.offlineState(unsaved === 0 ? '' : count(unsaved))}
      </span>
    )
  return (
    <span className="save-state">
      <Icon name="check" size={16} />
      <span data-room={words.savingRoom}>{unsaved === 0 ? words.saved : words.saving(count(unsaved))}</span>
    </span>
  )
}

import type { ReactNode } from 'react'
import type { Project } from '../../protocol/project.ts'
import { shortcutOf } from '../keys/keymap.ts'
import { IconButton } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Mark } from '../parts/Mark.tsx'
import { togglePanel, usePanel } from './panels.ts'
import { Link, usePath } from './routes.tsx'
import { SaveState } from './SaveState.tsx'
import { switchTheme } from './theme.ts'
import './shell.css'

const views = [
  { path: '/label', name: 'Label' },
  { path: '/progress', name: 'Progress' },
  { path: '/certify', name: 'Certify' },
  { path: '/data', name: 'Data' },
]

/** The views of a project. Where nothing is learned there is nothing to label but the draws of the audit. */
export function viewsOf({ purpose }: Project) {
  return purpose === 'audit' ? views.filter(({ path }) => path !== '/label') : views
}

/** Where a project begins. */
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
        <nav className="nav" aria-label="Project">
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
        <IconButton label="Light or dark" onClick={switchTheme}>
          <Icon name="theme" />
        </IconButton>
        <IconButton
          label="All keys"
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

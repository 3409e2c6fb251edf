import type { Project } from '../../protocol/project.ts'
import { shortcutOf } from '../keys/keymap.ts'
import { IconButton } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { percent } from '../parts/numbers.ts'
import { MiniPlot } from '../plots/MiniPlot.tsx'
import { newestEstimate, roundsOf } from '../plots/rounds.ts'
import { LastTen } from './LastTen.tsx'

interface Props {
  project: Project
  isOpen: boolean
  onToggle: () => void
}

/** Beside the point: the last ten answers, and what the rounds said. Moves when a round closes, not with every answer. */
export function Rail({ project, isOpen, onToggle }: Props) {
  return (
    <aside className="rail" aria-label="Last answers and plot" id="rail">
      <IconButton
        className="rail-toggle"
        label={isOpen ? 'Close the panel' : 'Open the panel'}
        shortcut={shortcutOf('rail')}
        aria-expanded={isOpen}
        onClick={onToggle}
      >
        <Icon name="rail" />
      </IconButton>
      <section className="rail-last">
        <h2>Last ten answers</h2>
        <LastTen project={project} />
      </section>
      <section className="rail-plot">
        <h2>Estimated error by round</h2>
        <RailPlot project={project} />
      </section>
    </aside>
  )
}

function RailPlot({ project }: { project: Project }) {
  const newest = newestEstimate(project.rounds)
  if (!project.strategy.isRandom && !newest)
    return <p className="caption">No unbiased estimate: this strategy does not draw at random.</p>
  if (!newest)
    return (
      <p className="caption">
        No estimate yet. The first round teaches the first model, so there is nothing to measure before it. The first estimate
        appears when round 2 closes.
      </p>
    )
  return (
    <>
      <MiniPlot rounds={roundsOf(project)} />
      <p className="caption">The model before this round. {percent(newest.estimate.level)} intervals, valid whenever you look.</p>
    </>
  )
}

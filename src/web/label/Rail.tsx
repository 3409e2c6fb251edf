import type { Project } from '../../protocol/project.ts'
import { levelPercentage } from '../../text/shares.ts'
import { noEstimate } from '../../text/wording.ts'
import { shortcutOf } from '../keys/keymap.ts'
import { IconButton } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { newestEstimate, roundsOf } from '../plots/drawings/rounds.ts'
import { MiniPlot } from '../plots/MiniPlot.tsx'
import { noEstimateYet } from '../plots/sentences.ts'
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
  if (!newest) return <p className="caption">{project.strategy.isRandom ? `No estimate yet. ${noEstimateYet}` : noEstimate}</p>
  return (
    <>
      <MiniPlot rounds={roundsOf(project)} />
      <p className="caption">
        The model before this round. {levelPercentage(newest.estimate.level)} intervals, valid whenever you look.
      </p>
    </>
  )
}

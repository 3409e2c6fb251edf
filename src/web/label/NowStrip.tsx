import type { Project } from '../../protocol/project.ts'
import { shortcutOf } from '../keys/keymap.ts'
import { useKeys } from '../keys/use-keys.ts'
import { Goals } from '../now/Goals.tsx'
import { How } from '../now/How.tsx'
import { Range } from '../now/Range.tsx'
import { NowSentence } from '../now/Sentence.tsx'
import { Button } from '../parts/Button.tsx'
import { Panel } from '../parts/Card.tsx'
import { Icon } from '../parts/Icon.tsx'
import { closePanel, togglePanel, usePanel } from '../shell/panels.ts'
import { words } from '../text/label.ts'
import { costOf, goalText, lookWords, nextGoal, nowStateOf } from '../text/now.ts'

const toggle = () => togglePanel('how')

/** Above the work: how good the model is now, and what it would take to know better. Moves when a round closes, not with every answer. */
export function NowStrip({ project }: { project: Project }) {
  const isOpen = usePanel() === 'how'
  const state = nowStateOf(project)
  const isClass = project.classes.some(({ key }) => key.toLowerCase() === 'h') // in projects from before this key had a meaning
  useKeys(isClass ? {} : { how: toggle })
  return (
    <>
      <section className="now" aria-label={words.label}>
        {(state.kind === 'range' || state.kind === 'certified') && <Range look={state.look} />}
        <p>
          <NowSentence project={project} onWhy={toggle} />
        </p>
        {state.kind === 'range' && <p className="now-next">{nextWords(project)}</p>}
        <Button
          kind="bare"
          aria-label={words.how}
          aria-expanded={isOpen}
          aria-controls="how"
          shortcut={isClass ? undefined : shortcutOf('how')}
          onClick={toggle}
        >
          <span>{words.how}</span>
          <Icon name="info" />
        </Button>
        <span className="heard" aria-live="polite">
          {state.kind === 'none' ? '' : lookWords(state.look)}
        </span>
      </section>
      {isOpen && (
        <Panel id="how" title={words.how} onClose={closePanel}>
          <div className="how-body">
            <How project={project} />
            {state.kind === 'range' && (
              <>
                <h3>{words.moreGuess}</h3>
                <Goals project={project} />
              </>
            )}
          </div>
        </Panel>
      )}
    </>
  )
}

/** What more would take: a guess, or why there is none. */
function nextWords({ now, phase, answers, points }: Project): string {
  if (!now) return ''
  if (now.isBehind && phase.kind !== 'opening') return 'An answer was changed: the range is being worked out again.'
  const goal = nextGoal(now)
  if (!goal) return `${goalText(now.goals.at(-1)!)} is reached.`
  const cost = costOf(goal, { pace: now.pace, left: points - answers })
  if (!cost) return ''
  if (!cost.time) return `${goalText(goal)} would take ${cost.answers}.`
  return `${cost.answers.replace('about', 'A guess:')} answers to ${goalText(goal)}, ${cost.time}`
}

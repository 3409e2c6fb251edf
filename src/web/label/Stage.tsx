import { type ReactNode, useEffect, useRef } from 'react'
import type { Content, Label } from '../../protocol/points.ts'
import type { Project } from '../../protocol/project.ts'
import { count, counted, revisionWords } from '../../text/wording.ts'
import { useServer } from '../api/store.ts'
import { useKeys } from '../keys/use-keys.ts'
import { Button, IconButton } from '../parts/Button.tsx'
import { StateCard } from '../parts/Card.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Note } from '../parts/Note.tsx'
import { Point } from '../parts/Point.tsx'
import { closePanel, togglePanel, usePanel } from '../shell/panels.ts'
import { Choices, CommandButton, Guidelines } from './Choices.tsx'
import { labelling } from './labelling.ts'
import { currentOf, type PageRound, titleOf, unanswered, upcoming } from './round.ts'
import { type LabellingState, show, useLabelling } from './state.ts'
import './label.css'

/** The point to answer now, of the open round or of a closed one that is being revised; or why there is none. */
export function Stage({ project }: { project: Project }) {
  const state = useLabelling()
  const shown = shownIn(state)
  const panel = usePanel()
  useKeys({ guidelines: () => togglePanel('guidelines') })

  return (
    <div className="stage">
      {shown ? (
        <Asked project={project} state={state} content={shown} />
      ) : (
        state.round && !state.isComplete && <Rest round={state.round} />
      )}
      <div className="heard" aria-live="polite">
        {state.said}
      </div>
      <Notes state={state} />
      {panel === 'guidelines' && <Guidelines project={project} />}
    </div>
  )
}

function Asked({ project, state, content }: { project: Project; state: LabellingState; content: Content }) {
  const { round, revision } = state
  const point = useRef<HTMLDivElement>(null)
  const focusPoint = () => scrolledIn(point.current)?.focus({ preventScroll: true })
  const isRevising = revision !== undefined || round?.revising !== undefined

  useKeys({
    undo: labelling.undo,
    later: labelling.later,
    unknown: labelling.cannotTell,
    close() {
      closePanel()
      focusPoint()
    },
  })
  const isFirst = state.said === ''
  // A new point takes the focus, so that its keys scroll it; the first one only where nothing else has it.
  useEffect(() => show(content.id), [content.id])
  useEffect(() => {
    if (!isFirst || document.activeElement === document.body) focusPoint()
  }, [content.id, revision])
  usePictures(round)

  return (
    <>
      <Question question={project.question} />
      {/* biome-ignore lint/a11y/useSemanticElements: a group of what belongs to one point, not a form's */}
      <div
        className={`point is-${project.view.kind}`}
        tabIndex={-1}
        ref={point}
        role="group"
        aria-label={`Point ${content.id}`}
        data-first
      >
        <Point key={content.id} view={project.view} content={content} />
        <p className="point-id mono">{content.id}</p>
      </div>
      <div className="stack stage-foot">
        {isRevising && <RevisionNote project={project} state={state} />}
        <Choices classes={project.classes} given={isRevising ? givenIn(state) : undefined} />
        <Actions
          isRevising={isRevising}
          isUnknown={isRevising && givenIn(state) === null}
          canUndo={isRevising || (round?.history.length ?? 0) > 0}
        />
      </div>
    </>
  )
}

/** What is asked of every point, and where to read how to answer. */
function Question({ question }: { question: string }) {
  return (
    <div className="question">
      <h1>{question}</h1>
      <CommandButton
        command="guidelines"
        aria-expanded={usePanel() === 'guidelines'}
        aria-controls="guidelines"
        onClick={() => togglePanel('guidelines')}
      >
        Guidelines
      </CommandButton>
    </div>
  )
}

interface ActionsProps {
  isRevising: boolean
  /** "Cannot tell" is the answer that stands. */
  isUnknown: boolean
  canUndo: boolean
}

function Actions({ isRevising, isUnknown, canUndo }: ActionsProps) {
  return (
    <div className="actions">
      <CommandButton command="undo" onClick={labelling.undo} disabled={!canUndo}>
        {isRevising ? 'Keep the answer' : 'Undo'}
      </CommandButton>
      <CommandButton command="later" onClick={labelling.later} disabled={isRevising}>
        Later
      </CommandButton>
      <CommandButton command="unknown" aria-pressed={isRevising ? isUnknown : undefined} onClick={labelling.cannotTell}>
        Cannot tell
      </CommandButton>
    </div>
  )
}

function RevisionNote({ project, state: { revision, round } }: { project: Project; state: LabellingState }) {
  const number = revision ? project.rounds.find((one) => one.round === revision.round)?.number : round?.number
  const name = number === undefined ? 'Its round' : `Round ${number}`
  const isAudit = number === undefined // of rounds that learned, all are known
  return <p className="stage-note caption">{revisionWords(name, { isOpen: !revision, isAudit })}</p>
}

/** At the foot, over the stage and not in it: the point must not move. */
function Notes({ state: { refusal } }: { state: LabellingState }): ReactNode {
  const { connection, unsaved } = useServer()
  if (!refusal && connection === 'online') return null
  const waiting = unsaved > 0 ? counted(unsaved, 'answer') : 'Answers'
  const verbs = unsaved === 1 ? 'waits in this browser and is' : 'wait in this browser and are'
  return (
    <div className="stage-floating">
      {refusal ? (
        <Note kind="warn" role="alert">
          <span className="mono">{refusal.message}</span>
          {refusal.hint && <> {refusal.hint}</>}
          <IconButton label="Close" onClick={labelling.dismiss}>
            <Icon name="close" size={16} />
          </IconButton>
        </Note>
      ) : (
        <Note kind="warn" role="status">
          <b>Offline. Keep going.</b> {waiting} {verbs} sent when the server is back.
        </Note>
      )}
    </div>
  )
}

/** What arrow keys should scroll: a long text inside the point, else the point itself. */
function scrolledIn(point: HTMLElement | null): HTMLElement | null {
  const inside = point?.querySelector('section')
  return inside && inside.scrollHeight > inside.clientHeight ? inside : point
}

function shownIn({ round, revision, isComplete }: LabellingState): Content | undefined {
  if (revision) return revision.content
  const id = round && !isComplete ? currentOf(round) : undefined
  return round?.points.find((point) => point.id === id)?.content
}

/** The answer that stands, of the point that is open again. */
function givenIn({ round, revision, recent }: LabellingState): Label | undefined {
  const id = revision?.content.id ?? round?.revising
  const told = recent.find((answer) => answer.content.id === id && (!revision || answer.round === revision.round))
  return told ? told.label : round?.answers.get(id ?? '')
}

/** Fetches the pictures of the next points, so that none is waited for when its turn comes. */
function usePictures(round: PageRound | undefined): void {
  useEffect(() => {
    if (!round) return
    const next = new Set(upcoming(round, 6))
    for (const { id, content } of round.points) if (next.has(id) && content.image) new Image().src = content.image
  }, [round])
}

/** Nothing to ask here: all is answered and on its way, or what is left is on other pages. */
function Rest({ round }: { round: PageRound }) {
  const { unsaved } = useServer()
  const left = unanswered(round).length
  useKeys({ undo: labelling.undo })
  useEffect(() => {
    if (left === 0) return
    const timer = setInterval(labelling.claimAgain, 3_000)
    return () => clearInterval(timer)
  }, [left])
  const [title, lede] =
    left > 0
      ? ['The rest is on other pages.', `${lastWords(left)} open in another window. The round closes when all are answered.`]
      : [
          'All of them are answered.',
          unsaved > 0 ? `${counted(unsaved, 'answer')} on the way to the server.` : 'Waiting for the server.',
        ]
  return (
    <StateCard
      role="status"
      about={titleOf(round)}
      title={title}
      lede={lede}
      actions={(left === 0 || round.history.length > 0) && <Button onClick={labelling.undo}>Undo</Button>}
    />
  )
}

const lastWords = (left: number) => (left === 1 ? 'The last point is' : `The last ${count(left)} points are`)

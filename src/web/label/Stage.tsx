import { type ReactNode, useEffect, useRef } from 'react'
import type { Content, Label } from '../../protocol/points.ts'
import type { Class, Project } from '../../protocol/project.ts'
import { revisionWords } from '../../text/wording.ts'
import { fetchAhead } from '../api/pictures.ts'
import { useServer } from '../api/store.ts'
import { useKeys } from '../keys/use-keys.ts'
import { Button, IconButton } from '../parts/Button.tsx'
import { StateCard } from '../parts/Card.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Note } from '../parts/Note.tsx'
import { Point } from '../parts/Point.tsx'
import { useAfter } from '../parts/use-timers.ts'
import { closePanel, togglePanel, usePanel } from '../shell/panels.ts'
import { cards, offlineWords, words } from '../text/label.ts'
import { Choices, CommandButton, Guidelines } from './Choices.tsx'
import { Finder } from './Finder.tsx'
import { mostUsed } from './finding.ts'
import { labelling } from './labelling.ts'
import { currentOf, type PageRound, unanswered, upcoming } from './round.ts'
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
        state.round && <Rest key={state.round.round} round={state.round} />
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
    readOn: () => readOn(point.current),
    zoom: () => point.current?.querySelector<HTMLElement>('.point-zoom')?.click(),
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
  const given = isRevising ? givenIn(state) : undefined
  const isFound = isFoundByTyping(project.classes)
  const often = useMostUsed(project)

  return (
    <>
      <Question question={project.question} />
      {/* biome-ignore lint/a11y/useSemanticElements: a group of what belongs to one point, not a form's */}
      <div
        className={`point is-${project.view.kind}`}
        tabIndex={-1}
        ref={point}
        role="group"
        aria-label={words.thing(content.id)}
        data-first
      >
        <Point key={content.id} view={project.view} content={content} />
        <p className="point-id mono">{content.id}</p>
      </div>
      <div className="stack stage-foot">
        {isRevising && <RevisionNote project={project} state={state} />}
        {isFound ? (
          <Finder classes={project.classes} often={often} given={given} about={content.id} />
        ) : (
          <Choices classes={project.classes} given={given} />
        )}
        <Actions
          isRevising={isRevising}
          isUnknown={given === null}
          canUndo={isRevising || (round?.history.length ?? 0) > 0 || state.recent.length > 0}
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
        {words.guidelines}
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
        {isRevising ? words.keep : words.undo}
      </CommandButton>
      <CommandButton command="later" onClick={labelling.later} disabled={isRevising}>
        {words.later}
      </CommandButton>
      <CommandButton command="unknown" aria-pressed={isRevising ? isUnknown : undefined} onClick={labelling.cannotTell}>
        {words.unknown}
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
  const { connection, unsaved, failure } = useServer()
  if (!refusal && connection === 'online') return null
  return (
    <div className="stage-floating">
      {refusal ? (
        <Note kind="warn" role="alert">
          <span className="mono">{refusal.message}</span>
          {refusal.hint && <> {refusal.hint}</>}
          <IconButton label={words.close} onClick={labelling.dismiss}>
            <Icon name="close" size={16} />
          </IconButton>
        </Note>
      ) : (
        <Note kind="warn" role="status">
          {failure ? words.startedAgain : <b>{words.offline}</b>} {offlineWords(unsaved)}
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

function shownIn({ round, revision }: LabellingState): Content | undefined {
  if (revision) return revision.content
  const id = round && currentOf(round)
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
    for (const { id, content } of round.points) if (next.has(id) && content.image) fetchAhead(content.image)
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
  const { elsewhere, waiting } = cards
  const isSlow = useAfter(300)
  if (!isSlow) return null // the next ones are mostly there before this could be read
  return (
    <StateCard
      role="status"
      title={left > 0 ? elsewhere.title : waiting.title}
      lede={left > 0 ? elsewhere.lede(left) : waiting.lede(unsaved)}
      actions={(left === 0 || round.history.length > 0) && <Button onClick={labelling.undo}>{words.undo}</Button>}
    />
  )
}

/** A page further down a text that is longer than its box. */
function readOn(point: HTMLElement | null): void {
  const text = point?.querySelector('section')
  text?.scrollBy({ top: 0.8 * text.clientHeight })
}

/** Ten classes and more are found by typing; unless each is its own key, as digits are. */
const isFoundByTyping = (classes: readonly Class[]) => classes.length > 9 && !classes.every(({ name, key }) => name === key)

/** The nine most used classes: once there are enough answers to tell, they stay what they are. */
function useMostUsed({ byClass }: Project): readonly string[] {
  const kept = useRef<readonly string[]>([])
  if (kept.current.length === 0) kept.current = mostUsed(byClass)
  return kept.current
}

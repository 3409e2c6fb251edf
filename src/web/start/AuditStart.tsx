import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { metrics } from '../../metrics/catalogue.ts'
import type { Prices } from '../../protocol/audits.ts'
import type { PredictionRole } from '../../protocol/start.ts'
import { keyed } from '../../text/class-keys.ts'
import { count } from '../../text/wording.ts'
import { api, Failure } from '../api/client.ts'
import { refresh } from '../api/store.ts'
import { useAttempt } from '../api/use-requests.ts'
import { Button } from '../parts/Button.tsx'
import { Page } from '../parts/Card.tsx'
import { TextField } from '../parts/Field.tsx'
import { FailureNote, Note } from '../parts/Note.tsx'
import { navigate } from '../shell/routes.tsx'
import { auditFoot, hiddenWords, noAnswerWords, paceFor, recognisedTitles, roughly } from '../text/start.ts'
import { Answers } from './Answers.tsx'
import { Asks } from './Asks.tsx'
import {
  type AuditDraft,
  type AuditNumber,
  answersIn,
  auditDraftOf,
  auditNumbers,
  auditOf,
  auditProblems,
  chooseRole,
  columnsWith,
  isAsked,
  moreMetrics,
  wishesOf,
} from './audit-draft.ts'
import { FirstRows, type Mark } from './FirstRows.tsx'
import { Goals } from './Goals.tsx'
import { usualGoal } from './goal-prices.ts'
import { Mapping } from './Mapping.tsx'
import { FileCard, QuestionFields, Step, showFirstProblem, WhatToDo } from './parts.tsx'
import type { FileInspection } from './use-draft.ts'

interface Props {
  first: FileInspection
  ways: ReactNode
  onLearn: () => void
  onReplace: () => void
}

/** Predictions or verdicts to check: what is what, what to find out, and how well. Nothing is drawn before the last button. */
export function AuditStart({ first, ways, onLearn, onReplace }: Props) {
  const { inspection } = first
  const { recognised, rows } = inspection
  const [draft, setDraft] = useState(() => auditDraftOf(inspection))
  const [isTried, setIsTried] = useState(false)
  const { attempt, failure, isBusy } = useAttempt()
  const form = useRef<HTMLFormElement>(null)
  const problems = auditProblems(draft)
  const problemOf = (field: keyof typeof problems) => (isTried ? problems[field] : undefined)
  const change = (part: Partial<AuditDraft>) => setDraft((now) => ({ ...now, ...part }))
  const { prices, failure: priceFailure, isPricing } = usePrices(draft, inspection)
  useUsualGoal(prices, rows, (goal) => change({ goal }))

  /** Answers follow the columns until they are changed by hand. */
  function remap(next: AuditDraft) {
    const before = answersIn(draft, inspection.columns).join('\n')
    const own = draft.classes.map(({ name }) => name).join('\n')
    const answers = answersIn(next, inspection.columns)
    setDraft(own === before ? { ...next, classes: keyed(answers) } : next)
  }

  async function begin(event: FormEvent) {
    event.preventDefault()
    setIsTried(true)
    if (Object.keys(problems).length > 0) return showFirstProblem(form.current)
    await attempt(async () => {
      await api.begin(auditOf(draft, inspection))
      await refresh()
      navigate('/')
    })
  }

  const isRace = isAsked('best', draft)
  const price = prices?.prices.find(({ tolerance }) => tolerance === draft.goal)
  return (
    <Page
      className="start-page is-wide"
      title={recognised.isSure ? recognisedTitles[recognised.kind] : 'Predictions to check'}
      takesFocus
      lede={recognised.isSure ? `${recognised.why} What would you like to do?` : 'Say which column holds them.'}
    >
      <FileCard inspection={inspection} ways={ways} onReplace={onReplace} />
      <WhatToDo kind={draft.kind} does="check" onChoose={(does) => does === 'learn' && onLearn()} />
      <form className="start-steps" noValidate ref={form} onSubmit={begin}>
        <section className="start-what">
          <div>
            <h2>What is what</h2>
            <p className="small faint">Guessed from the file. Change what is not right.</p>
          </div>
          <div className="card">
            <Mapping draft={draft} columns={inspection.columns} onChange={remap} />
          </div>
          {problemOf('columns') && (
            <div data-problem tabIndex={-1}>
              <Note kind="warn" role="alert">
                {problems.columns}
              </Note>
            </div>
          )}
          <FirstRows
            inspection={inspection}
            roleOf={({ columns: [column] }) => draft.roles[column!.name] ?? 'out'}
            offered={() => roleOptions(draft.kind)}
            markOf={(role) => auditMarks[role as PredictionRole] ?? ''}
            onChoose={({ columns }, role) =>
              remap(columns.reduce((now, { name }) => chooseRole(now, name, role as PredictionRole), draft))
            }
            note={hiddenWords[draft.kind]}
          />
        </section>
        <Step title="What to find out" note="All from the same answers. What needs more of them says so.">
          <Asks draft={draft} onChange={(asks) => change({ asks })} />
        </Step>
        <Step title="The question" note="People read it above everything they judge.">
          <QuestionFields {...draft} error={problemOf('question')} onChange={change} />
        </Step>
        <Step title="The answers" note="Those that the file names. People find them by typing from ten on.">
          <Answers
            classes={draft.classes}
            error={problemOf('classes')}
            columns={[]}
            onChange={(classes) => change({ classes })}
          />
          <Unanswerable draft={draft} inspection={inspection} onChange={change} />
        </Step>
        <Step title="How sure" note={isRace ? 'Until one is surely best.' : aboutGoal(draft)}>
          {isRace ? (
            <p className="small quiet">
              Ends when one column is proven to be the best, or as good but for {draft.numbers.within || '0.01'}; or after{' '}
              {draft.numbers.budget || count(Math.min(rows, 2_000))} answers. Both can be changed below.
            </p>
          ) : (
            <>
              {prices && prices.prices.length > 0 && (
                <Goals
                  prices={prices.prices}
                  rows={rows}
                  pace={paceOf(draft, first)}
                  chosen={draft.goal === 'own' ? Number.NaN : draft.goal}
                  isBusy={isPricing}
                  onChoose={(goal) => change({ goal })}
                />
              )}
              {priceFailure && <FailureNote failure={priceFailure} />}
            </>
          )}
        </Step>
        <Everything draft={draft} problemOf={problemOf} onChange={change} />
        {failure && <FailureNote failure={failure} />}
        <div className="spread start-go">
          <p className="small faint">
            {columnsWith(draft, 'confidence').length > 0 || isRace ? auditFoot.sure : auditFoot.plain}
          </p>
          <Button kind="primary" type="submit" disabled={isBusy}>
            {price ? `Begin, about ${count(Math.min(rows, roughly(price.answers)))} answers` : 'Begin'}
          </Button>
        </div>
      </form>
    </Page>
  )
}

const roleWords: Readonly<Record<PredictionRole, string>> = {
  read: 'Read',
  check: 'Check',
  confidence: 'Confidence',
  probability: 'Probability',
  compare: 'Compare',
  apart: 'Apart by',
  id: 'Id',
  out: 'Left out',
}

const auditMarks: Readonly<Record<PredictionRole, Mark>> = {
  check: 'on',
  compare: 'on',
  read: '',
  confidence: '',
  probability: 'on',
  apart: '',
  id: '',
  out: 'off',
}

const roleOptions = (kind: AuditDraft['kind']) =>
  (Object.keys(roleWords) as PredictionRole[])
    .filter((role) => kind !== 'grades' || !['confidence', 'probability', 'compare'].includes(role))
    .map((value) => ({ value, text: roleWords[value] }))

function aboutGoal({ kind, isForAll }: AuditDraft): string {
  if (isForAll) return 'For everything that is asked. Can be changed later.'
  const what = { predictions: 'the share wrong', verdicts: 'the pass rate', grades: 'the mean grade' }[kind]
  return `For ${what} in the whole file. Can be changed later.`
}

function paceOf(draft: AuditDraft, { inspection }: FileInspection): number {
  const read = new Set(columnsWith(draft, 'read'))
  const columns = inspection.columns.map((column) => ({ ...column, isShown: read.has(column.name) }))
  return paceFor({ columns, view: { kind: 'row' } }, inspection.preview)
}

/** Words that predictions say and nobody can answer: counted as wrong, or made an answer. */
function Unanswerable({
  draft,
  inspection,
  onChange,
}: {
  draft: AuditDraft
  inspection: FileInspection['inspection']
  onChange: (part: Partial<AuditDraft>) => void
}) {
  const [check] = columnsWith(draft, 'check')
  const names = new Set(draft.classes.map(({ name }) => name))
  const values = inspection.columns.find(({ name }) => name === check)?.values ?? []
  const lost = draft.kind === 'grades' || names.size === 0 ? [] : values.filter(({ value }) => !names.has(value))
  return lost.slice(0, 5).map(({ value, count: rows }) => (
    <p className="small start-lost" key={value}>
      {noAnswerWords(rows, value)}{' '}
      <Button kind="bare" onClick={() => onChange({ classes: keyed([...names, value]) })}>
        Make it an answer
      </Button>
    </p>
  ))
}

interface EverythingProps {
  draft: AuditDraft
  problemOf: (field: AuditNumber | 'project') => string | undefined
  onChange: (part: Partial<AuditDraft>) => void
}

/** What few people change: all that the command can. */
function Everything({ draft, problemOf, onChange }: EverythingProps) {
  const isRace = isAsked('best', draft)
  const own: readonly AuditNumber[] = isRace ? ['within', 'budget'] : ['tolerance', 'below', 'budget']
  const graded: readonly AuditNumber[] = draft.kind === 'grades' ? ['least', 'most'] : []
  const number = (field: AuditNumber, placeholder = '') => (
    <TextField
      key={field}
      label={auditNumbers[field].title}
      inputMode="decimal"
      autoComplete="off"
      placeholder={placeholder}
      value={draft.numbers[field]}
      error={problemOf(field)}
      onChange={({ target }) => onChange({ numbers: { ...draft.numbers, [field]: target.value } })}
    />
  )
  const check = (label: string, isOn: boolean, change: (isOn: boolean) => Partial<AuditDraft>) => (
    <label className="start-check">
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(change(target.checked))} />
      {label}
    </label>
  )
  return (
    <details className="start-more">
      <summary>Everything else: another goal, more to measure, how things are drawn, seed, project folder</summary>
      <div className="start-else">
        <TextField
          label="Project"
          hint="Every draw and answer is kept in this folder."
          spellCheck={false}
          value={draft.project}
          error={problemOf('project')}
          onChange={({ target }) => onChange({ project: target.value })}
        />
        {graded.map((field) => number(field))}
        {!isRace && check('Another goal than those above', draft.goal === 'own', (isOn) => ({ goal: isOn ? 'own' : 0.05 }))}
        {own.filter((field) => isRace || draft.goal === 'own' || field === 'budget').map((field) => number(field))}
        {number('level', '0.95')}
        {number('batch', '10')}
        {number('seed', 'fresh')}
        {!isRace && check('The goal is for everything that is asked', draft.isForAll, (isForAll) => ({ isForAll }))}
        {!isRace && check('Ranges too that hold all together', draft.isTogether, (isTogether) => ({ isTogether }))}
        {!isRace && check('Draw by plain lot', draft.isUniform, (isUniform) => ({ isUniform }))}
      </div>
      {!isRace && draft.kind !== 'grades' && (
        <fieldset className="start-metrics" aria-label="More to measure">
          <legend>More to measure</legend>
          {moreMetrics.map((name) => (
            <span key={name}>
              {check(metrics[name].word, draft.more.has(name), (isOn) => ({
                more: new Set(isOn ? [...draft.more, name] : [...draft.more].filter((other) => other !== name)),
              }))}
            </span>
          ))}
        </fieldset>
      )}
    </details>
  )
}

/** What the audit would cost as it is described now; asked for anew a moment after what matters was changed. */
function usePrices(draft: AuditDraft, { path, rows }: FileInspection['inspection']) {
  const [prices, setPrices] = useState<Prices>()
  const [failure, setFailure] = useState<Failure>()
  const [isPricing, setIsPricing] = useState(false)
  const problems = auditProblems(draft)
  const isWhole = !problems.columns && !problems.level && !isAsked('best', draft)
  const { seed: _, ...asked } = { ...wishesOf({ ...draft, goal: 0.1, more: new Set() }, rows), seed: 0 }
  const key = JSON.stringify(asked)
  useEffect(() => {
    if (!isWhole) return
    let isWanted = true
    setIsPricing(true)
    const timer = setTimeout(async () => {
      try {
        const found = await api.price({ path, audit: asked })
        if (isWanted) setPrices(found)
        if (isWanted) setFailure(undefined)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        if (isWanted) setFailure(error)
      } finally {
        if (isWanted) setIsPricing(false)
      }
    }, 200)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [key, isWhole])
  return { prices, failure, isPricing }
}

/** The goal that fits the file, once it is known what goals cost. */
function useUsualGoal(prices: Prices | undefined, rows: number, onGoal: (goal: number | 'all') => void): void {
  const isSet = useRef(false)
  useEffect(() => {
    if (!prices || isSet.current) return
    isSet.current = true
    if (prices.prices.length > 0) onGoal(usualGoal(prices.prices, rows))
  }, [prices])
}

import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { keyed } from '../../text/class-keys.ts'
import { api } from '../api/client.ts'
import { refresh } from '../api/store.ts'
import { useAttempt } from '../api/use-requests.ts'
import { Button } from '../parts/Button.tsx'
import { Page } from '../parts/Card.tsx'
import { FailureNote } from '../parts/Note.tsx'
import { navigate } from '../shell/routes.tsx'
import { auditFoot, noAnswerWords, recognisedTitles, roughly } from '../text/start.ts'
import { parts } from '../text/start-parts.ts'
import { Answers } from './Answers.tsx'
import { Asks } from './Asks.tsx'
import { AuditOptions } from './AuditOptions.tsx'
import { type AuditDraft, answersIn, auditDraftOf, auditOf, auditProblems, columnsWith, isAsked } from './audit-draft.ts'
import { HowSure } from './HowSure.tsx'
import { FileCard, QuestionFields, Step, showFirstProblem, WhatToDo } from './parts.tsx'
import type { FileInspection } from './use-draft.ts'
import { usePrices, useUsualGoal } from './use-prices.ts'
import { WhatIsWhat } from './WhatIsWhat.tsx'

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
        <WhatIsWhat draft={draft} inspection={inspection} problem={problemOf('columns')} onChange={remap} />
        <Step title={parts.findOut} note={parts.findOutNote}>
          <Asks draft={draft} onChange={(asks) => change({ asks })} />
        </Step>
        <Step title={parts.question} note={parts.questionJudged}>
          <QuestionFields {...draft} error={problemOf('question')} onChange={change} />
        </Step>
        <Step title={parts.answers} note={parts.answersOfFile}>
          <Answers
            classes={draft.classes}
            error={problemOf('classes')}
            columns={[]}
            onChange={(classes) => change({ classes })}
          />
          <Unanswerable draft={draft} inspection={inspection} onChange={change} />
        </Step>
        <HowSure
          draft={draft}
          first={first}
          prices={prices?.prices ?? []}
          isPricing={isPricing}
          failure={priceFailure}
          onChoose={(goal) => change({ goal })}
        />
        <AuditOptions draft={draft} problemOf={problemOf} onChange={change} />
        {failure && <FailureNote failure={failure} />}
        <div className="spread start-go">
          <p className="small faint">
            {columnsWith(draft, 'confidence').length > 0 || isRace ? auditFoot.sure : auditFoot.plain}
          </p>
          <Button kind="primary" type="submit" disabled={isBusy}>
            {price ? parts.beginAbout(Math.min(rows, roughly(price.answers))) : parts.begin}
          </Button>
        </div>
      </form>
    </Page>
  )
}

/** Words that predictions say and that are no answers: counted as wrong, or made an answer. */
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
        {parts.makeAnswer}
      </Button>
    </p>
  ))
}

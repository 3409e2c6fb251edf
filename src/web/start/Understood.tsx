import { type FormEvent, type ReactNode, useRef } from 'react'
import type { Strategy } from '../../protocol/project.ts'
import { noEstimate } from '../../text/wording.ts'
import { api } from '../api/client.ts'
import { refresh } from '../api/store.ts'
import { useAttempt } from '../api/use-requests.ts'
import { Button } from '../parts/Button.tsx'
import { Page } from '../parts/Card.tsx'
import { FailureNote } from '../parts/Note.tsx'
import { rich } from '../parts/rich.tsx'
import { navigate } from '../shell/routes.tsx'
import { firstWords, howSureWords, paceFor, startWords } from '../text/start.ts'
import { parts } from '../text/start-parts.ts'
import { AdvancedOptions, NumberField } from './AdvancedOptions.tsx'
import { Answers } from './Answers.tsx'
import { Columns } from './Columns.tsx'
import { reasonOf } from './columns.ts'
import { budgetFor, goalPrices, projectOf } from './draft.ts'
import { FirstRows, type Mark } from './FirstRows.tsx'
import { Goals } from './Goals.tsx'
import { FileCard, QuestionFields, Step, showFirstProblem, WhatToDo } from './parts.tsx'
import { type DraftWork, type FileInspection, type Proposal, useDraft } from './use-draft.ts'
import { chooseUse, type Use, useOf, usesFor, useWords } from './uses.ts'

interface Props {
  first: FileInspection
  /** What is asked about a sample. */
  proposal?: Proposal | undefined
  ways: ReactNode
  strategies: readonly Strategy[]
  onCheck: () => void
  onReplace: () => void
}

/** What was understood of a file, all of it open to change. Nothing is drawn before the last button. */
export function Understood({ first, ways, proposal, strategies, onCheck, onReplace }: Props) {
  const work = useDraft(first, strategies[0]?.name ?? 'alis', proposal)
  const { inspection, draft, problems } = work
  const { attempt, failure, isBusy } = useAttempt()
  const form = useRef<HTMLFormElement>(null)
  const { recognised, unlearnable } = inspection

  async function begin(event: FormEvent) {
    event.preventDefault()
    if (!work.check()) return showFirstProblem(form.current)
    await attempt(async () => {
      await api.begin(projectOf(draft, inspection))
      await refresh()
      navigate('/label')
    })
  }

  const unit = inspection.view.kind === 'bitmap' || inspection.view.kind === 'image' ? 'pictures' : 'rows'
  return (
    <Page className="start-page is-wide" title={startWords.understood} takesFocus lede={startWords.understoodLede}>
      <FileCard inspection={inspection} ways={ways} onReplace={onReplace} />
      {recognised.isSure ? (
        <WhatToDo kind={recognised.kind} does="learn" onChoose={(does) => does === 'check' && onCheck()} />
      ) : (
        <p className="small quiet">
          {rich(parts.areThese, {
            say: (
              <Button kind="bare" onClick={onCheck}>
                {parts.sayso}
              </Button>
            ),
          })}
        </p>
      )}
      <form className="start-steps" noValidate ref={form} onSubmit={begin}>
        <Steps work={work} strategies={strategies} />
        {unlearnable && (
          <FailureNote failure={{ message: unlearnable, hint: 'Mark a column to learn from, or check predictions.' }} />
        )}
        {failure && <FailureNote failure={failure} />}
        <div className="spread start-go">
          <p className="small faint">{firstWords(problems.start ? '' : draft.start.trim(), unit)}</p>
          <Button kind="primary" type="submit" disabled={isBusy || work.isReading || unlearnable !== undefined}>
            {parts.begin}
          </Button>
        </div>
      </form>
    </Page>
  )
}

const marks: Readonly<Record<Use, Mark>> = { read: 'on', show: 'on', learn: '', id: '', label: '', ignored: 'off' }

function Steps({ work, strategies }: { work: DraftWork; strategies: readonly Strategy[] }) {
  const { inspection, draft, choices, problemOf, change } = work
  const { rows, columns, preview } = inspection
  return (
    <>
      <FirstRows
        inspection={inspection}
        isBusy={work.isReading}
        roleOf={(group) => useOf(group, choices, inspection)}
        offered={(group) => usesFor(group).map((use) => ({ value: use, text: useWords[use] }))}
        markOf={(role) => marks[role as Use]}
        onChoose={(group, role) => work.choose(chooseUse(choices, inspection, group, role as Use))}
        remarkOf={(group) => {
          const [column] = group.columns
          if (group.columns.length === 1 && column!.isPersonal) return parts.mayName
          return column!.looksLikeAnswers ? parts.looksLikeAnswers : reasonOf(group)
        }}
      />
      {work.readingFailure && <FailureNote failure={work.readingFailure} />}
      <Step title={parts.question} note={parts.questionNote}>
        <QuestionFields {...draft} error={problemOf('question')} onChange={change} />
      </Step>
      <Step title={parts.answers} note={startWords.answers}>
        <Answers
          classes={draft.classes}
          error={problemOf('classes')}
          columns={columns.filter(({ values }) => values.length >= 2 && values.length <= rows / 3)}
          onChange={(classes) => change({ classes })}
        />
      </Step>
      <Step title={parts.howSure} note={howSureWords(rows)}>
        <Goals
          prices={goalPrices(inspection)}
          rows={rows}
          pace={paceFor(inspection, preview)}
          chosen={draft.goal}
          onChoose={(goal) => change({ goal, budget: String(budgetFor(inspection, goal)) })}
        />
      </Step>
      <details className="start-more start-everything">
        <summary>{startWords.everythingElse}</summary>
        <div className="stack start-all">
          <h3>{parts.howDrawn}</h3>
          <Strategies strategies={strategies} chosen={draft.strategy} onChoose={(strategy) => change({ strategy })} />
          <div className="start-fields">
            <NumberField work={work} field="start" />
            <NumberField work={work} field="batch" />
            <NumberField work={work} field="budget" />
          </div>
          <h3>{parts.columns}</h3>
          <Columns inspection={inspection} choices={choices} isBusy={work.isReading} onChoose={work.choose} />
          <AdvancedOptions work={work} />
        </div>
      </details>
    </>
  )
}

interface StrategiesProps {
  strategies: readonly Strategy[]
  chosen: string
  onChoose: (name: string) => void
}

/** Those most projects use; the others are behind a line that opens. */
const prominent = ['alis', 'uniform', 'paper']

function Strategies({ strategies, chosen, onChoose }: StrategiesProps) {
  const first = prominent.flatMap((name) => strategies.find((strategy) => strategy.name === name) ?? [])
  const more = strategies.filter((strategy) => !first.includes(strategy))
  const options = (list: readonly Strategy[]) =>
    list.map(({ name, title, summary, isRandom }) => (
      <label className="option" key={name}>
        <input type="radio" name="strategy" value={name} checked={name === chosen} onChange={() => onChoose(name)} />
        <span>
          <b>{title}</b> {title !== name && <span className="mono faint">{name}</span>}
          <span className="small quiet">{summary}</span>
          {!isRandom && <span className="small quiet">{noEstimate}</span>}
        </span>
      </label>
    ))
  return (
    <div className="start-options" role="radiogroup" aria-label={parts.ways}>
      {options(first)}
      {more.length > 0 && (
        <details className="start-more">
          <summary>{parts.moreWays}</summary>
          <div className="start-options">{options(more)}</div>
        </details>
      )}
    </div>
  )
}

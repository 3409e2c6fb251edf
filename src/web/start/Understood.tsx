import { type FormEvent, type ReactNode, useId, useRef } from 'react'
import type { Strategy } from '../../protocol/project.ts'
import type { Inspection } from '../../protocol/start.ts'
import { counted, fileSize, noEstimate } from '../../text/wording.ts'
import { api } from '../api/client.ts'
import { refresh } from '../api/store.ts'
import { useAttempt } from '../api/use-requests.ts'
import { Button } from '../parts/Button.tsx'
import { Page } from '../parts/Card.tsx'
import { TextArea, TextField } from '../parts/Field.tsx'
import { Icon } from '../parts/Icon.tsx'
import { FailureNote } from '../parts/Note.tsx'
import { navigate } from '../shell/routes.tsx'
import { AdvancedOptions, NumberField } from './AdvancedOptions.tsx'
import { Classes } from './Classes.tsx'
import { Columns } from './Columns.tsx'
import { sentenceAboutKeys } from './classes.ts'
import { projectOf } from './draft.ts'
import { type DraftWork, type FileInspection, useDraft } from './use-draft.ts'

interface Props {
  first: FileInspection
  strategies: readonly Strategy[]
  onReplace: () => void
}

/** What was understood of a file, all of it open to change. Nothing is drawn before the last button. */
export function Understood({ first, strategies, onReplace }: Props) {
  const work = useDraft(first, strategies[0]?.name ?? 'alis')
  const { inspection, draft, problems } = work
  const { attempt, failure, isBusy } = useAttempt()
  const form = useRef<HTMLFormElement>(null)

  async function begin(event: FormEvent) {
    event.preventDefault()
    if (!work.check()) return showFirstProblem(form.current)
    await attempt(async () => {
      await api.begin(projectOf(draft, inspection))
      await refresh()
      navigate('/label')
    })
  }

  const size = problems.start ? '' : draft.start.trim()
  return (
    <Page
      className="start-page"
      title="Here is what was understood."
      takesFocus
      lede="Change anything that is not right. Nothing is drawn until you start."
    >
      <FileCard inspection={inspection} onReplace={onReplace} />
      <form className="start-steps" noValidate ref={form} onSubmit={begin}>
        <Steps work={work} strategies={strategies} />
        {failure && <FailureNote failure={failure} />}
        <div className="spread start-go">
          <p className="small faint">
            The first {size && `${size} `}points are drawn uniformly, then put on record before anyone sees them.
          </p>
          <Button kind="primary" type="submit" disabled={isBusy || work.isReading}>
            Draw the first {size || 'points'}
          </Button>
        </div>
      </form>
    </Page>
  )
}

function Steps({ work, strategies }: { work: DraftWork; strategies: readonly Strategy[] }) {
  const { inspection, draft, problems, problemOf, change } = work
  return (
    <>
      <Step title="Columns" note={work.isReading ? 'Reading again' : 'What each is used for.'}>
        <Columns inspection={inspection} choices={work.choices} isBusy={work.isReading} onChoose={work.choose} />
        {work.readingFailure && <FailureNote failure={work.readingFailure} />}
      </Step>
      <Step title="Classes" note={sentenceAboutKeys(draft.classes)}>
        <Classes
          classes={draft.classes}
          error={draft.classes.length === 1 ? problems.classes : problemOf('classes')}
          onChange={(classes) => change({ classes })}
        />
        <TextField
          label="The question people are asked"
          value={draft.question}
          error={problemOf('question')}
          onChange={(event) => change({ question: event.target.value })}
        />
        <TextArea
          label="Guidelines, for the panel beside every point"
          rows={3}
          placeholder="When in doubt between 1 and 7, look for the bar."
          value={draft.guidelines}
          onChange={(event) => change({ guidelines: event.target.value })}
        />
      </Step>
      <Step title="Strategy" note="How the next points are drawn.">
        <Strategies strategies={strategies} chosen={draft.strategy} onChoose={(strategy) => change({ strategy })} />
      </Step>
      <Step title="Effort" note="Can be raised later.">
        <div className="start-fields">
          <NumberField work={work} field="start" />
          <NumberField work={work} field="batch" />
          <NumberField work={work} field="budget" />
        </div>
      </Step>
      <Step title="Everything else" note="What the command can do, this page can too.">
        <AdvancedOptions work={work} />
      </Step>
    </>
  )
}

function FileCard({ inspection, onReplace }: { inspection: Inspection; onReplace: () => void }) {
  const { path, rows, columns, bytes } = inspection
  return (
    <div className="card start-file">
      <Icon name="file" size={24} />
      <div>
        <p className="strong">{path}</p>
        <p className="small faint">
          {counted(rows, 'row')}, {counted(columns.length, 'column')}, {fileSize(bytes)}
        </p>
      </div>
      <Button kind="bare" onClick={onReplace}>
        Replace
      </Button>
    </div>
  )
}

function Step({ title, note, children }: { title: string; note: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className="start-step" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <p className="small faint">{note}</p>
      </div>
      <div className="start-step-body">{children}</div>
    </section>
  )
}

/** Focus goes to the first field that is wrong; a disclosure opens before it can go inside. */
function showFirstProblem(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
    const disclosure = field?.closest('details')
    if (disclosure) disclosure.open = true
    field?.focus()
    field?.scrollIntoView({ block: 'center' })
  })
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
    <div className="start-options" role="radiogroup" aria-label="Strategy">
      {options(first)}
      {more.length > 0 && (
        <details className="start-more">
          <summary>More strategies</summary>
          <div className="start-options">{options(more)}</div>
        </details>
      )}
    </div>
  )
}

import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { Strategy } from '../../protocol/project.ts'
import type { Inspection } from '../../protocol/start.ts'
import { api } from '../api/client.ts'
import { refresh } from '../api/store.ts'
import { Button } from '../parts/Button.tsx'
import { TextField } from '../parts/Field.tsx'
import { Icon } from '../parts/Icon.tsx'
import { FailureNote } from '../parts/Note.tsx'
import { bytes, counted } from '../parts/numbers.ts'
import { navigate } from '../shell/routes.tsx'
import { EverythingElse } from './AdvancedOptions.tsx'
import { useAttempt } from './attempt.ts'
import { Classes } from './Classes.tsx'
import { Columns } from './Columns.tsx'
import { sentenceAboutKeys } from './classes.ts'
import { projectOf } from './draft.ts'
import type { FileInspection } from './inspect-file.ts'
import { NumberField } from './NumberField.tsx'
import { Strategies } from './Strategies.tsx'
import { useDraft } from './useDraft.ts'

interface Props {
  first: FileInspection
  strategies: readonly Strategy[]
  onReplace: () => void
}

/** What was understood of a file, all of it open to change. Nothing is drawn before the last button. */
export function Understood({ first, strategies, onReplace }: Props) {
  const work = useDraft(first, strategies[0]?.name ?? 'alis')
  const { inspection, draft, problems, problemOf, change } = work
  const beginning = useAttempt()
  const form = useRef<HTMLFormElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), []) // what had focus is gone with the list of files

  async function begin() {
    if (!work.check()) return showFirstProblem(form.current)
    await beginning.attempt(async () => {
      await api.begin(projectOf(draft, inspection))
      await refresh()
      navigate('/label')
    })
  }

  const numberField = (field: 'batch' | 'budget' | 'start') => (
    <NumberField field={field} value={draft[field]} error={problemOf(field)} onChange={(value) => change({ [field]: value })} />
  )
  const size = problems.start ? '' : draft.start.trim()
  return (
    <main className="page start-page" tabIndex={-1}>
      <header>
        <h1 tabIndex={-1} ref={title}>
          Here is what was understood.
        </h1>
        <p className="lede">Change anything that is not right. Nothing is drawn until you start.</p>
      </header>
      <FileCard inspection={inspection} onReplace={onReplace} />
      <form
        className="start-steps"
        noValidate
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          begin()
        }}
      >
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
          <Guidelines value={draft.guidelines} onChange={(guidelines) => change({ guidelines })} />
        </Step>
        <Step title="Strategy" note="How the next points are drawn.">
          <Strategies strategies={strategies} chosen={draft.strategy} onChoose={(strategy) => change({ strategy })} />
        </Step>
        <Step title="Effort" note="Can be raised later.">
          <div className="start-fields">
            {numberField('start')}
            {numberField('batch')}
            {numberField('budget')}
          </div>
        </Step>
        <Step title="Everything else" note="What the command can do, this page can too.">
          <EverythingElse draft={draft} inspection={inspection} problems={problems} problemOf={problemOf} onChange={change} />
        </Step>
        {beginning.failure && <FailureNote failure={beginning.failure} />}
        <div className="start-go">
          <p className="small faint">
            The first {size && `${size} `}points are drawn uniformly, then put on record before anyone sees them.
          </p>
          <Button kind="primary" type="submit" disabled={beginning.isBusy || work.isReading}>
            Draw the first {size || 'points'}
          </Button>
        </div>
      </form>
    </main>
  )
}

function FileCard({
  inspection: { path, rows, columns, bytes: size },
  onReplace,
}: {
  inspection: Inspection
  onReplace: () => void
}) {
  return (
    <div className="card start-file">
      <Icon name="file" size={24} />
      <div>
        <p className="strong">{path}</p>
        <p className="small faint">
          {counted(rows, 'row')}, {counted(columns.length, 'column')}, {bytes(size)}
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

function Guidelines({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>Guidelines, for the panel beside every point</label>
      <textarea
        id={id}
        className="input"
        rows={3}
        placeholder="When in doubt between 1 and 7, look for the bar."
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}

/** To where the hand is needed next; a disclosure opens before focus can go inside it. */
function showFirstProblem(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
    const disclosure = field?.closest('details')
    if (disclosure) disclosure.open = true
    field?.focus()
    field?.scrollIntoView({ block: 'center' })
  })
}

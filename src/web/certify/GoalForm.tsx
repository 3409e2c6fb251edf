import { type FormEvent, useState } from 'react'
import type { Goal, Project } from '../../protocol/project.ts'
import { percentage } from '../../text/shares.ts'
import { api } from '../api/client.ts'
import { refresh } from '../api/store.ts'
import { useAttempt } from '../api/use-attempt.ts'
import { Button } from '../parts/Button.tsx'
import { SelectField, TextField } from '../parts/Field.tsx'
import { FailureNote, Note } from '../parts/Note.tsx'
import { Segmented } from '../parts/Segmented.tsx'
import { Outlook } from './Outlook.tsx'
import { ToleranceSlider } from './ToleranceSlider.tsx'
import { useForecast } from './use-forecast.ts'
import { answersFrom, promise, shareFrom, shortHash, stopWords } from './words.ts'

const kinds = [
  { value: 'tolerance', text: 'How wrong it is' },
  { value: 'below', text: 'Better than a limit' },
] as const

/** What is typed, as it is typed. */
interface GoalDraft {
  readonly kind: (typeof kinds)[number]['value']
  readonly tolerance: number
  readonly limit: string
  readonly level: number
  readonly most: string
}

const usual: GoalDraft = { kind: 'tolerance', tolerance: 0.02, limit: '7 %', level: 0.95, most: '400 answers' }

/** What an audit shall come to, beside about how many answers that takes. */
export function GoalForm({ model }: { model: NonNullable<Project['model']> }) {
  const [draft, setDraft] = useState(usual)
  const { attempt, failure, isBusy } = useAttempt()
  const goal = goalOf(draft)
  const forecast = useForecast(goal)
  const budget = answersFrom(draft.most)
  const isFine = goal !== undefined && (budget !== undefined || draft.most.trim() === '')

  async function start(event: FormEvent) {
    event.preventDefault()
    if (!goal || !isFine) return
    await attempt(async () => {
      await api.beginAudit({ ...goal, ...(budget !== undefined && { budget }) })
      await refresh()
    })
  }

  return (
    <div className="cols certify-cols">
      <form className="card certify-form" onSubmit={start} noValidate>
        <ClaimFields draft={draft} onChange={(part) => setDraft({ ...draft, ...part })} />
        {goal && <Note>{promise(goal, forecast?.expected)}</Note>}
        <div className="stack certify-pair">
          <SelectField
            label="Level"
            value={draft.level}
            options={[0.95, 0.99, 0.9].map((value) => ({ value, text: percentage(value) }))}
            onChange={(event) => setDraft({ ...draft, level: Number(event.target.value) })}
          />
          <TextField
            label="At most"
            value={draft.most}
            onChange={(event) => setDraft({ ...draft, most: event.target.value })}
            hint={stopWords(budget, forecast?.answers)}
            error={isFine || !goal ? undefined : 'A whole number of answers is required, or nothing.'}
          />
        </div>
        {failure && <FailureNote failure={failure} />}
        <Button type="submit" kind="primary" disabled={!isFine || isBusy}>
          Freeze the model and start
        </Button>
        <p className="hint at-foot">
          Will be frozen: the model after round {model.after}, <span className="mono">{shortHash(model.id)}</span>
        </p>
      </form>
      <Outlook goal={goal} forecast={forecast} />
    </div>
  )
}

/** What people want to be able to say: so narrow an interval, or one below a limit. */
function ClaimFields({ draft, onChange }: { draft: GoalDraft; onChange: (part: Partial<GoalDraft>) => void }) {
  const question = 'What do you want to be able to say?'
  return (
    <>
      <div className="field">
        <h2 className="small">{question}</h2>
        <Segmented label={question} options={kinds} value={draft.kind} onChange={(kind) => onChange({ kind })} />
      </div>
      {draft.kind === 'tolerance' ? (
        <ToleranceSlider value={draft.tolerance} onChange={(tolerance) => onChange({ tolerance })} />
      ) : (
        <TextField
          label="The error is below"
          inputMode="decimal"
          value={draft.limit}
          onChange={(event) => onChange({ limit: event.target.value })}
          hint="Stops as soon as the whole interval lies below this."
          error={shareFrom(draft.limit) === undefined ? 'A percentage between 0 and 100 is required.' : undefined}
        />
      )}
    </>
  )
}

function goalOf({ kind, tolerance, limit, level }: GoalDraft): Omit<Goal, 'budget'> | undefined {
  if (kind === 'tolerance') return { tolerance, level }
  const below = shareFrom(limit)
  return below === undefined ? undefined : { below, level }
}

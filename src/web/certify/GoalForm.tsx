import { type FormEvent, useId, useState } from 'react'
import type { Forecast, Goal, Project } from '../../protocol/project.ts'
import { percentage, plusMinus } from '../../text/shares.ts'
import { api } from '../api/client.ts'
import { refresh } from '../api/store.ts'
import { useAttempt, useLoaded } from '../api/use-requests.ts'
import { Button } from '../parts/Button.tsx'
import { SelectField, TextField } from '../parts/Field.tsx'
import { FailureNote, Note } from '../parts/Note.tsx'
import { Segmented } from '../parts/Segmented.tsx'
import { useDelayed } from '../parts/use-timers.ts'
import { answersFrom, promise, shareFrom, shortHash, stopWords } from '../text/certify.ts'
import { ForecastCard } from './ForecastCard.tsx'

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
      <ForecastCard goal={goal} forecast={forecast} />
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

const pause = 150 // while a slider moves, the server is not asked

/** The forecast for a goal; the last one known while a new one is on its way or cannot be had. */
function useForecast(goal: Omit<Goal, 'budget'> | undefined): Forecast | undefined {
  const wish = useDelayed(goal && JSON.stringify(goal), pause)
  return useLoaded(wish === undefined ? undefined : () => api.forecast(JSON.parse(wish)), wish).value
}

const [widest, narrowest, step] = [0.05, 0.01, 0.001]
const marks = [0.05, 0.04, 0.03, 0.02, 0.01]

/** From ±5 % at the left to ±1 % at the right: to the right is more to ask for. */
function ToleranceSlider({ value, onChange }: { value: number; onChange: (tolerance: number) => void }) {
  const id = useId()
  const at = Math.round((widest - value) / step)
  const last = Math.round((widest - narrowest) / step)
  return (
    <div className="field">
      <div className="spread certify-slider-head">
        <label htmlFor={id}>Tolerance</label>
        <output htmlFor={id}>{plusMinus(value)}</output>
      </div>
      <input
        id={id}
        className="certify-slider"
        type="range"
        min={0}
        max={last}
        value={at}
        aria-valuetext={`plus or minus ${plusMinus(value).slice(1, -2)} percent`}
        style={{ '--at': `${(100 * at) / last}%` } as React.CSSProperties}
        onChange={(event) => onChange(Number((widest - Number(event.target.value) * step).toFixed(4)))}
      />
      <div className="spread certify-slider-scale" aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark}>{plusMinus(mark)}</span>
        ))}
      </div>
    </div>
  )
}

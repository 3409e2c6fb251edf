import { type FormEvent, useState } from 'react'
import type { Forecast, Goal, Project } from '../../protocol/project.ts'
import { percentage, plusMinus } from '../../text/shares.ts'
import { api } from '../api/client.ts'
import { refresh } from '../api/store.ts'
import { useAttempt, useLoaded } from '../api/use-requests.ts'
import { Button } from '../parts/Button.tsx'
import { SelectField, TextField } from '../parts/Field.tsx'
import { FailureNote, Note } from '../parts/Note.tsx'
import { rich } from '../parts/rich.tsx'
import { Segmented } from '../parts/Segmented.tsx'
import { useDelayed } from '../parts/use-timers.ts'
import { answersFrom, beginWords, priceOf, promise, shareFrom, shortHash, words } from '../text/certify.ts'
import { ForecastCard } from './ForecastCard.tsx'

/** What is typed, as it is typed. */
interface GoalDraft {
  readonly kind: (typeof words.kinds)[number]['value']
  readonly tolerance: number
  readonly limit: string
  readonly level: number
  readonly most: string
}

/** ±5 % where that fits into half of what is left, else ±10 %; finer where that is known already. */
function usualGoal({ forecast, points, answers }: Project, known: number): GoalDraft {
  const fits = forecast?.findLast(({ tolerance, answers: more }) => tolerance >= 0.05 && more <= (points - answers) / 2)
  const finer = forecast?.find(({ tolerance }) => tolerance < known)?.tolerance ?? 0.03
  return { kind: 'tolerance', tolerance: Math.min(fits?.tolerance ?? 0.1, finer), limit: '10 %', level: 0.95, most: '' }
}

interface Props {
  project: Project
  model: NonNullable<Project['model']>
  /** Half of the range that a certificate of this model has; 1 where there is none. */
  known: number
}

/** What a certificate shall come to, beside about what that takes. */
export function GoalForm({ project, model, known }: Props) {
  const [draft, setDraft] = useState(() => usualGoal(project, known))
  const { attempt, failure, isBusy } = useAttempt()
  const goal = goalOf(draft)
  const forecast = useForecast(project.forecast ? goal : undefined) // there is none while the newest model is looked at
  const budget = answersFrom(draft.most)
  const isFine = goal !== undefined && (budget !== undefined || draft.most.trim() === '')
  const change = (part: Partial<GoalDraft>) => setDraft({ ...draft, ...part })

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
        <Segmented label={words.what} options={words.kinds} value={draft.kind} onChange={(kind) => change({ kind })} />
        {draft.kind === 'tolerance' ? (
          <GoalCards project={project} known={known} value={draft.tolerance} onChange={(tolerance) => change({ tolerance })} />
        ) : (
          <TextField
            label={words.limit}
            inputMode="decimal"
            value={draft.limit}
            onChange={(event) => change({ limit: event.target.value })}
            hint={words.limitHint}
            error={shareFrom(draft.limit) === undefined ? words.limitWrong : undefined}
          />
        )}
        {goal && <Note>{promise(goal, forecast?.expected)}</Note>}
        {failure && <FailureNote failure={failure} />}
        <Button type="submit" kind="primary" disabled={!isFine || isBusy}>
          {beginWords(forecast?.answers, known < 1)}
        </Button>
        <details className="certify-more">
          <summary>{words.more}</summary>
          <div className="stack certify-pair">
            <SelectField
              label={words.level}
              value={draft.level}
              options={[0.95, 0.99, 0.9].map((value) => ({ value, text: percentage(value) }))}
              onChange={(event) => change({ level: Number(event.target.value) })}
            />
            <TextField
              label={words.most}
              value={draft.most}
              onChange={(event) => change({ most: event.target.value })}
              hint={words.mostHint}
              error={isFine || !goal ? undefined : words.mostWrong}
            />
          </div>
          <p className="hint">
            {rich(words.willKeep(model.after), { model: <span className="mono">{shortHash(model.id)}</span> })}
          </p>
        </details>
      </form>
      <ForecastCard goal={goal} forecast={forecast} />
    </div>
  )
}

const offered = [0.1, 0.05, 0.03, 0.02, 0.01]

interface CardsProps {
  project: Project
  known: number
  value: number
  onChange: (tolerance: number) => void
}

/** How narrow the range shall be, each with what it is good for and what it takes. */
function GoalCards({ project, known, value, onChange }: CardsProps) {
  const { forecast, points, answers, now } = project
  const left = points - answers
  return (
    <fieldset className="goals certify-goals" aria-label={words.title}>
      {offered.map((tolerance) => {
        const isReached = known <= tolerance
        const price = priceOf(forecast?.find((each) => each.tolerance === tolerance)?.answers, { pace: now?.pace ?? 5, left })
        return (
          <label key={tolerance} className={isReached ? 'goal is-reached' : 'goal'}>
            <input
              type="radio"
              name="tolerance"
              disabled={isReached}
              checked={value === tolerance}
              onChange={() => onChange(tolerance)}
            />
            <b>{plusMinus(tolerance)}</b>
            <small className="quiet">{words.goodFor[tolerance]}</small>
            <span>
              <span className="strong">{isReached ? words.reached : price.answers}</span>
              {!isReached && price.time && <small className="faint">{price.time}</small>}
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}

function goalOf({ kind, tolerance, limit, level }: GoalDraft): Omit<Goal, 'budget'> | undefined {
  if (kind === 'tolerance') return { tolerance, level }
  const below = shareFrom(limit)
  return below === undefined ? undefined : { below, level }
}

const pause = 150 // milliseconds without typing, after which the server is asked

/** The forecast for a goal; the last one known while a new one is on its way or cannot be had. */
function useForecast(goal: Omit<Goal, 'budget'> | undefined): Forecast | undefined {
  const wish = useDelayed(goal && JSON.stringify(goal), pause)
  return useLoaded(wish === undefined ? undefined : () => api.forecast(JSON.parse(wish)), wish).value
}

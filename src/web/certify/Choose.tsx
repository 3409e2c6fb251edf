import { type FormEvent, useState } from 'react'
import type { Goal, Project } from '../../protocol/project.ts'
import { api } from '../api/client.ts'
import { Failure } from '../api/failure.ts'
import { refresh } from '../api/store.ts'
import { Button } from '../parts/Button.tsx'
import { SelectField, TextField } from '../parts/Field.tsx'
import { FailureNote, Note } from '../parts/Note.tsx'
import { Segmented } from '../parts/Segmented.tsx'
import { Link } from '../shell/routes.tsx'
import { CertificateList } from './CertificateList.tsx'
import { Outlook } from './Outlook.tsx'
import { ToleranceSlider } from './ToleranceSlider.tsx'
import { useForecast } from './use-forecast.ts'
import { answersFrom, promise, shareFrom, shortHash, stopWords } from './words.ts'
import './certify.css'

/** What shall be said of the model, and about what it will cost. */
export function Choose({ project }: { project: Project }) {
  const { model, certificates } = project
  return (
    <main className="page" tabIndex={-1}>
      <header>
        <h1>Certify this model</h1>
        <p className="lede">
          Freeze the model as it is now and measure it on points drawn afresh, until the interval is as narrow as you ask. The
          answers never train the certified model; they may train later ones.
        </p>
        {!model && (
          <>
            <p className="lede">There is no model yet: the first round teaches the first one.</p>
            <div className="tools">
              <Link className="button primary" to="/label">
                Go to round 1
              </Link>
            </div>
          </>
        )}
      </header>
      {model && <GoalForm model={model} />}
      <CertificateList certificates={certificates} />
    </main>
  )
}

type Kind = 'tolerance' | 'below'

function GoalForm({ model }: { model: NonNullable<Project['model']> }) {
  const [kind, setKind] = useState<Kind>('tolerance')
  const [tolerance, setTolerance] = useState(0.02)
  const [limit, setLimit] = useState('7 %')
  const [level, setLevel] = useState(0.95)
  const [most, setMost] = useState('400 answers')
  const [failure, setFailure] = useState<Failure>()
  const [isSending, setSending] = useState(false)
  const below = shareFrom(limit)
  const budget = answersFrom(most)
  const goal = goalOf({ kind, tolerance, below, level })
  const forecast = useForecast(goal)
  const isFine = goal !== undefined && (budget !== undefined || most.trim() === '')

  async function start(event: FormEvent) {
    event.preventDefault()
    if (!goal || !isFine) return
    setSending(true)
    setFailure(undefined)
    try {
      await api.beginAudit({ ...goal, ...(budget !== undefined && { budget }) })
      await refresh()
    } catch (problem) {
      if (!(problem instanceof Failure)) throw problem
      setFailure(problem)
      setSending(false)
    }
  }

  return (
    <div className="certify-cols">
      <form className="card certify-form" onSubmit={start} noValidate>
        <div className="field">
          <h2 className="small">What do you want to be able to say?</h2>
          <Segmented label="What do you want to be able to say?" options={kinds} value={kind} onChange={setKind} />
        </div>
        {kind === 'tolerance' ? (
          <ToleranceSlider value={tolerance} onChange={setTolerance} />
        ) : (
          <TextField
            label="The error is below"
            inputMode="decimal"
            value={limit}
            onChange={(event) => setLimit(event.target.value)}
            hint="Stops as soon as the whole interval lies below this."
            error={below === undefined ? 'A percentage between 0 and 100 is required.' : undefined}
          />
        )}
        {goal && <Note>{promise(goal, forecast?.expected)}</Note>}
        <div className="certify-pair">
          <SelectField label="Level" value={level} onChange={(event) => setLevel(Number(event.target.value))}>
            {[0.95, 0.99, 0.9].map((each) => (
              <option key={each} value={each}>
                {Math.round(100 * each)}&nbsp;%
              </option>
            ))}
          </SelectField>
          <TextField
            label="At most"
            value={most}
            onChange={(event) => setMost(event.target.value)}
            hint={stopWords(budget, forecast?.answers)}
            error={isFine || !goal ? undefined : 'A whole number of answers is required, or nothing.'}
          />
        </div>
        {failure && <FailureNote failure={failure} />}
        <Button type="submit" kind="primary" disabled={!isFine || isSending}>
          Freeze the model and start
        </Button>
        <p className="hint certify-foot">
          Will be frozen: the model after round {model.after}, <span className="mono">{shortHash(model.id)}</span>
        </p>
      </form>
      <Outlook goal={goal} forecast={forecast} />
    </div>
  )
}

const kinds: readonly { value: Kind; text: string }[] = [
  { value: 'tolerance', text: 'How wrong it is' },
  { value: 'below', text: 'Better than a limit' },
]

function goalOf(wish: {
  kind: Kind
  tolerance: number
  below: number | undefined
  level: number
}): Omit<Goal, 'budget'> | undefined {
  const { kind, tolerance, below, level } = wish
  if (kind === 'tolerance') return { tolerance, level }
  return below === undefined ? undefined : { below, level }
}

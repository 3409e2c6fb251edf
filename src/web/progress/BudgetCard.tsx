import { type FormEvent, useState } from 'react'
import type { Project } from '../../protocol/project.ts'
import { percentage } from '../../text/shares.ts'
import { count, noEstimate } from '../../text/wording.ts'
import { api } from '../api/client.ts'
import { refresh, useServer } from '../api/store.ts'
import { useAttempt } from '../api/use-requests.ts'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { SelectField, TextField } from '../parts/Field.tsx'
import { FailureNote, Meter } from '../parts/Note.tsx'
import { rich } from '../parts/rich.tsx'
import { budgetWords as words } from '../text/progress.ts'

export function BudgetCard({ project }: { project: Project }) {
  const [isChanging, setChanging] = useState(false)
  const { plan, nextPlan, answers, strategy } = project
  const next = nextRound(project)
  const spent = Math.min(1, answers / plan.budget)
  if (isChanging) return <PlanForm project={project} round={next} onClose={() => setChanging(false)} />
  return (
    <Card title={words.title} note={noteOf(project)}>
      <p className="big">
        {answers > plan.budget ? count(answers) : `${count(answers)} of ${count(plan.budget)}`}
        <small>{answers > plan.budget ? words.beyond(plan.budget) : words.spent}</small>
      </p>
      <Meter label={words.meter(percentage(spent))} share={spent} />
      <div>
        <h2>{words.how(strategy.title)}</h2>
        {nextPlan && (
          <p className="caption">
            {rich(words.next(next, count(nextPlan.batch), count(nextPlan.budget)), {
              way: <span className="mono">{nextPlan.strategy}</span>,
            })}
          </p>
        )}
      </div>
      <p className="caption at-foot">{words.stays}</p>
      <Button onClick={() => setChanging(true)}>{words.change(next)}</Button>
    </Card>
  )
}

function noteOf({ phase }: Project): string {
  if (phase.kind === 'asking') return phase.purpose === 'learn' ? words.open(phase.number) : words.audit
  if (phase.kind === 'opening' && phase.purpose === 'learn') return words.comes(phase.number)
  return phase.kind === 'done' ? words.allIn : ''
}

/** The first round that a change can reach: what is drawn, or being drawn, stays. */
function nextRound({ phase, rounds }: Project): number {
  const isUnderWay = (phase.kind === 'asking' || phase.kind === 'opening') && phase.purpose === 'learn'
  return (isUnderWay ? phase.number : (rounds.at(-1)?.number ?? 0)) + 1
}

interface Props {
  project: Project
  /** The first round that will follow the new plan. */
  round: number
  onClose: () => void
}

/** Changes strategy, answers a round and budget from the next round on. */
function PlanForm({ project, round, onClose }: Props) {
  const strategies = useServer().state?.strategies ?? [project.strategy]
  const [plan, setPlan] = useState(project.nextPlan ?? project.plan)
  const { attempt, failure, isBusy } = useAttempt()
  const chosen = strategies.find(({ name }) => name === plan.strategy) ?? project.strategy

  async function send(event: FormEvent) {
    event.preventDefault()
    await attempt(async () => {
      await api.plan(plan)
      await refresh()
      onClose()
    })
  }

  const whole = (name: 'batch' | 'budget', max: number) => ({
    type: 'number',
    inputMode: 'numeric' as const,
    min: 1,
    max,
    step: 1,
    required: true,
    value: plan[name] || '',
    onChange: (event: { target: { value: string } }) => setPlan({ ...plan, [name]: Number(event.target.value) }),
  })

  return (
    <Card title={words.change(round)}>
      <form className="progress-form" onSubmit={send}>
        <SelectField
          label={words.draws}
          hint={chosen.isRandom ? chosen.summary : noEstimate}
          value={plan.strategy}
          autoFocus
          options={strategies.map(({ name, title }) => ({ value: name, text: title === name ? name : `${title} (${name})` }))}
          onChange={(event) => setPlan({ ...plan, strategy: event.target.value })}
        />
        <TextField label={words.batch} {...whole('batch', 10_000)} />
        <TextField label={words.title} hint={words.hint} {...whole('budget', 1_000_000_000)} />
        {failure && <FailureNote failure={failure} />}
        <div className="tools">
          <Button type="submit" kind="primary" disabled={isBusy}>
            {words.use(round)}
          </Button>
          <Button kind="bare" onClick={onClose}>
            {words.cancel}
          </Button>
        </div>
      </form>
    </Card>
  )
}

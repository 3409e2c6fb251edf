import { type FormEvent, useState } from 'react'
import type { Project } from '../../protocol/project.ts'
import { noEstimate } from '../../text/wording.ts'
import { api } from '../api/client.ts'
import { refresh, useServer } from '../api/store.ts'
import { useAttempt } from '../api/use-attempt.ts'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { SelectField, TextField } from '../parts/Field.tsx'
import { FailureNote } from '../parts/Note.tsx'

interface Props {
  project: Project
  /** The first round that will follow the new plan. */
  round: number
  onClose: () => void
}

/** Changes strategy, answers a round and budget from the next round on. */
export function PlanForm({ project, round, onClose }: Props) {
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
    <Card title={`Change for round ${round}`}>
      <form className="progress-form" onSubmit={send}>
        <SelectField
          label="Strategy"
          hint={chosen.isRandom ? chosen.summary : noEstimate}
          value={plan.strategy}
          autoFocus
          options={strategies.map(({ name, title }) => ({ value: name, text: title === name ? name : `${title} (${name})` }))}
          onChange={(event) => setPlan({ ...plan, strategy: event.target.value })}
        />
        <TextField label="Answers per round" {...whole('batch', 10_000)} />
        <TextField label="Budget" hint="Answers in all, those given included." {...whole('budget', 1_000_000_000)} />
        {failure && <FailureNote failure={failure} />}
        <div className="tools">
          <Button type="submit" kind="primary" disabled={isBusy}>
            Use from round {round}
          </Button>
          <Button kind="bare" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Card>
  )
}

import { type SubmitEvent, useState } from 'react'
import type { Project } from '../../protocol/project.ts'
import { api } from '../api/client.ts'
import { useAttempt } from '../api/use-attempt.ts'
import { Button } from '../parts/Button.tsx'
import { TextField } from '../parts/Field.tsx'

/** More answers than planned: the next round opens at once. */
export function RaiseBudget({ project }: { project: Project }) {
  const [budget, setBudget] = useState(String(Math.min(project.points, project.plan.budget + 5 * project.plan.batch)))
  const { attempt, failure } = useAttempt()

  function raise(event: SubmitEvent) {
    event.preventDefault()
    attempt(() => api.plan({ ...project.plan, budget: Number(budget) }))
  }

  return (
    <form className="raise" onSubmit={raise}>
      <TextField
        label="Answers in all"
        type="number"
        min={project.answers + 1}
        max={project.points}
        required
        value={budget}
        error={failure?.message}
        onChange={(event) => setBudget(event.target.value)}
      />
      <Button type="submit">Go on</Button>
    </form>
  )
}

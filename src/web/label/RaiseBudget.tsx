import { type SubmitEvent, useState } from 'react'
import type { Project } from '../../protocol/project.ts'
import { api } from '../api/client.ts'
import { Failure } from '../api/failure.ts'
import { Button } from '../parts/Button.tsx'
import { TextField } from '../parts/Field.tsx'

/** More answers than planned: the next round opens at once. */
export function RaiseBudget({ project }: { project: Project }) {
  const [budget, setBudget] = useState(String(Math.min(project.points, project.plan.budget + 5 * project.plan.batch)))
  const [error, setError] = useState<string>()

  async function raise(event: SubmitEvent) {
    event.preventDefault()
    try {
      await api.plan({ ...project.plan, budget: Number(budget) })
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure
      setError(failure.message)
    }
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
        error={error}
        onChange={(event) => setBudget(event.target.value)}
      />
      <Button type="submit">Go on</Button>
    </form>
  )
}

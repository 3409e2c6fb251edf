import { useState } from 'react'
import type { Project, Failure as Told } from '../../protocol/project.ts'
import { api } from '../api/client.ts'
import { Failure } from '../api/failure.ts'
import { Button } from '../parts/Button.tsx'
import { FailureNote } from '../parts/Note.tsx'
import { counted } from '../parts/numbers.ts'
import { StateCard } from '../parts/StateCard.tsx'

/** Something went wrong between two rounds: what it was, that nothing is lost, and how to go on. */
export function Failed({ project, failure }: { project: Project; failure: Told }) {
  const [refusal, setRefusal] = useState<Failure>()
  const details = [failure.message, failure.hint, `code ${failure.code}`, project.path].filter(Boolean).join('\n')

  async function retry() {
    setRefusal(undefined)
    try {
      await api.retry()
    } catch (error) {
      if (error instanceof Failure) setRefusal(error)
      else throw error
    }
  }

  return (
    <StateCard
      takesFocus
      about={project.name}
      title="The next round could not be drawn."
      actions={
        <>
          <Button kind="primary" onClick={retry}>
            Try again
          </Button>
          <Button kind="bare" onClick={() => navigator.clipboard?.writeText(details)}>
            Copy details
          </Button>
        </>
      }
    >
      <p className="quiet">Nothing is lost: all {counted(project.answers, 'answer')} are saved.</p>
      <FailureNote failure={refusal ?? failure} />
    </StateCard>
  )
}

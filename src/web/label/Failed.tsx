import type { Failure, Project } from '../../protocol/project.ts'
import { counted } from '../../text/wording.ts'
import { api } from '../api/client.ts'
import { useAttempt } from '../api/use-attempt.ts'
import { Button } from '../parts/Button.tsx'
import { FailureNote } from '../parts/Note.tsx'
import { StateCard } from '../parts/StateCard.tsx'

/** Something went wrong between two rounds: what it was, that nothing is lost, and how to go on. */
export function Failed({ project, failure }: { project: Project; failure: Failure }) {
  const { attempt, failure: refusal } = useAttempt()
  const details = [failure.message, failure.hint, `code ${failure.code}`, project.path].filter(Boolean).join('\n')

  return (
    <StateCard
      takesFocus
      about={project.name}
      title="The next round could not be drawn."
      actions={
        <>
          <Button kind="primary" onClick={() => attempt(api.retry)}>
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

import { useState } from 'react'
import type { Strategy } from '../../protocol/project.ts'
import type { Failure } from '../api/client.ts'
import { useAttempt } from '../api/use-requests.ts'
import { Button } from '../parts/Button.tsx'
import { Page } from '../parts/Card.tsx'
import { FailureNote } from '../parts/Note.tsx'
import { startWords } from '../text/start.ts'
import { AuditStart } from './AuditStart.tsx'
import { Choose } from './Choose.tsx'
import { Understood } from './Understood.tsx'
import { type FileInspection, learningFrom, type Proposal } from './use-draft.ts'
import './start.css'

/** A file that was looked at, and what is to be done with it. */
export interface Found {
  readonly look: FileInspection
  readonly does: 'check' | 'learn'
  readonly proposal?: Proposal
}

/** From nothing to the first draw: a file, what was understood of it, and what is to be asked. */
export function StartView({ strategies }: { strategies: readonly Strategy[] }) {
  const [found, setFound] = useState<Found>()
  const [unread, setUnread] = useState<Failure>()
  const { attempt, failure } = useAttempt()
  if (unread) return <Unread failure={unread} onReplace={() => setUnread(undefined)} />
  if (!found) return <Choose onFound={setFound} onUnread={setUnread} />

  const { look, does } = found
  const onReplace = () => setFound(undefined)
  const onLearn = () => attempt(async () => setFound({ ...found, look: await learningFrom(look), does: 'learn' }))
  if (does === 'check')
    return (
      <>
        <AuditStart first={look} onLearn={onLearn} onReplace={onReplace} />
        {failure && <FailureNote failure={failure} />}
      </>
    )
  return (
    <Understood
      first={look}
      proposal={found.proposal}
      strategies={strategies}
      onCheck={() => setFound({ ...found, does: 'check' })}
      onReplace={onReplace}
    />
  )
}

/** A file that could not be read: what is required, what was found, and the ways out. */
function Unread({ failure, onReplace }: { failure: Failure; onReplace: () => void }) {
  return (
    <Page className="start-page is-wide" title={startWords.unread} takesFocus lede={startWords.unreadLede}>
      <FailureNote failure={failure} />
      <div className="tools">
        <Button kind="primary" onClick={onReplace}>
          Choose another file
        </Button>
      </div>
    </Page>
  )
}

import { useRef, useState } from 'react'
import type { Strategy } from '../../protocol/project.ts'
import type { Failure } from '../api/client.ts'
import { useAttempt } from '../api/use-requests.ts'
import { Button } from '../parts/Button.tsx'
import { Page } from '../parts/Card.tsx'
import { FailureNote } from '../parts/Note.tsx'
import { startWords } from '../text/start.ts'
import { parts } from '../text/start-parts.ts'
import { AuditStart } from './AuditStart.tsx'
import { Choose } from './Choose.tsx'
import { Understood } from './Understood.tsx'
import { type FileInspection, learningFrom, lookAt, type Proposal } from './use-draft.ts'
import { Ways } from './Ways.tsx'
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
  const { attempt, failure, isBusy } = useAttempt()
  const [unreadPath, setUnreadPath] = useState('')
  const readings = useRef(0) // what is read in another way comes too late once another file is wanted
  const again = (path: string) =>
    attempt(async () => {
      const reading = ++readings.current
      const look = await lookAt(path)
      if (reading !== readings.current) return
      setUnread(undefined)
      setFound({ look, does: look.inspection.recognised.isSure ? 'check' : 'learn' })
    })
  if (unread)
    return (
      <Unread
        failure={failure ?? unread}
        onHeaderless={isText(unreadPath) ? () => again(`${unreadPath}#header=no`) : undefined}
        onReplace={() => setUnread(undefined)}
      />
    )
  if (!found)
    return (
      <Choose
        onFound={setFound}
        onUnread={(failure, path) => {
          setUnread(failure)
          setUnreadPath(path)
        }}
      />
    )

  const { look, does } = found
  const ways = <Ways ways={look.inspection.ways} isBusy={isBusy} onChoose={again} />
  const onReplace = () => {
    readings.current++
    setFound(undefined)
  }
  const onLearn = () => attempt(async () => setFound({ ...found, look: await learningFrom(look), does: 'learn' }))
  if (does === 'check')
    return (
      <>
        <AuditStart key={look.inspection.path} first={look} ways={ways} onLearn={onLearn} onReplace={onReplace} />
        {failure && <FailureNote failure={failure} />}
      </>
    )
  return (
    <Understood
      key={look.inspection.path}
      first={look}
      ways={ways}
      proposal={found.proposal}
      strategies={strategies}
      onCheck={() => setFound({ ...found, does: 'check' })}
      onReplace={onReplace}
    />
  )
}

/** Text with a row a line, whose first one may be no header. */
const isText = (path: string) => /\.(?:csv|tsv|txt|xls[xm])(?:\.(?:gz|zst))?$/i.test(path)

interface UnreadProps {
  failure: Failure
  onHeaderless: (() => void) | undefined
  onReplace: () => void
}

/** A file that could not be read: what is required, what was found, and the ways out. */
function Unread({ failure, onHeaderless, onReplace }: UnreadProps) {
  return (
    <Page className="start-page is-wide" title={startWords.unread} takesFocus lede={startWords.unreadLede}>
      <FailureNote failure={failure} />
      <div className="tools">
        {onHeaderless && (
          <Button kind="primary" onClick={onHeaderless}>
            {parts.noHeader}
          </Button>
        )}
        <Button kind={onHeaderless ? 'plain' : 'primary'} onClick={onReplace}>
          {parts.another}
        </Button>
      </div>
    </Page>
  )
}

import { useEffect, useRef } from 'react'
import type { AnswerRow } from '../../protocol/data.ts'
import type { Label } from '../../protocol/points.ts'
import type { Class } from '../../protocol/project.ts'
import { api } from '../api/client.ts'
import { page } from '../api/page.ts'
import { useAttempt } from '../api/use-requests.ts'
import { useKeys } from '../keys/use-keys.ts'
import { Button } from '../parts/Button.tsx'
import { FailureNote } from '../parts/Note.tsx'
import { consequence, words } from '../text/data.ts'

interface Props {
  row: AnswerRow
  classes: readonly Class[]
  onClose: () => void
  onRevised: (words: string) => void
}

/** Another answer for a point, with the keys it was given by. What becomes of it is said before, not after. */
export function RowEditor({ row, classes, onClose, onRevised }: Props) {
  const { content, round, isOpen } = row
  const { attempt, failure, isBusy } = useAttempt()
  const box = useRef<HTMLFieldSetElement>(null)
  useEffect(() => box.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus(), [])
  useKeys({ unknown: () => give(null) }, classes, (name) => give(name))

  async function give(label: Label) {
    if (isBusy) return
    const isSaved = await attempt(async () => {
      await api.answer(round, content.id, { label, page, ...(!isOpen && { isRevision: true }) })
    })
    if (!isSaved) return
    onRevised(words.said(content.id, label))
    onClose()
  }

  const choices = [
    ...classes.map(({ name, key }) => ({ label: name, text: name, key })),
    { label: null, text: words.unknownChoice, key: 'U' },
  ]
  return (
    <fieldset
      className="stack data-editor"
      ref={box}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <legend>
        <b>{`${words.reviseOf(content.id)}.`}</b> {consequence(row)}
      </legend>
      <div className="data-choices">
        {choices.map(({ label, text, key }) => (
          <button
            key={text}
            type="button"
            className={label === null ? 'chip data-choice is-unknown' : 'chip data-choice'}
            aria-pressed={label === row.label}
            aria-keyshortcuts={key}
            onClick={() => give(label)}
          >
            {label !== null && label !== key && <kbd>{key}</kbd>}
            <bdi>{text}</bdi>
          </button>
        ))}
        <Button kind="bare" onClick={onClose}>
          {words.keep}
        </Button>
      </div>
      {failure && <FailureNote failure={failure} />}
    </fieldset>
  )
}

import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../parts/Button.tsx'
import { StateCard } from '../parts/Card.tsx'
import { TextField } from '../parts/Field.tsx'
import { annotatorNow, nameAnnotator } from '../state/annotator.ts'
import { nameWords } from '../text/name.ts'

/** One field, one button: the name that stands beside every answer from now on. */
export function NameForm({ proposed = '', onDone }: { proposed?: string; onDone?: () => void }) {
  const [text, setText] = useState(annotatorNow() ?? proposed)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  function submit(event: FormEvent) {
    event.preventDefault()
    if (text.trim() === '') return
    nameAnnotator(text)
    onDone?.()
  }

  return (
    <form className="name-form" onSubmit={submit}>
      <TextField
        label={nameWords.label}
        ref={field}
        autoComplete="name"
        maxLength={100}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button kind="primary" type="submit" disabled={text.trim() === ''}>
        {nameWords.done}
      </Button>
    </form>
  )
}

/** Before the first point is shown in a browser that has no name yet. */
export function NameFirst() {
  return (
    <main className="stage-centre" tabIndex={-1}>
      <StateCard title={nameWords.title} lede={nameWords.lede}>
        <NameForm />
      </StateCard>
    </main>
  )
}

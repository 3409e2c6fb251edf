import { type ReactNode, useId, useState } from 'react'
import type { Inspection } from '../../protocol/start.ts'
import { counted, fileSize } from '../../text/wording.ts'
import { Button } from '../parts/Button.tsx'
import { TextArea, TextField } from '../parts/Field.tsx'
import { Icon } from '../parts/Icon.tsx'
import { checkWords, learnWords } from '../text/start.ts'
import { parts } from '../text/start-parts.ts'

interface FileCardProps {
  inspection: Inspection
  /** Other ways to read it. */
  ways: ReactNode
  onReplace: () => void
}

export function FileCard({ inspection, ways, onReplace }: FileCardProps) {
  const { path, rows, columns, bytes } = inspection
  const sheet = inspection.ways.sheets.find(({ isChosen }) => isChosen)
  return (
    <div className="card start-file">
      <Icon name="file" size={24} />
      <div>
        <p className="strong">{path.replace(/#.*$/, '')}</p>
        <p className="small faint">
          {sheet && parts.sheetOf(sheet.text)}
          {[counted(rows, 'row'), counted(columns.length, 'column'), fileSize(bytes)].join(', ')}
        </p>
      </div>
      <Button kind="bare" onClick={onReplace}>
        {parts.replace}
      </Button>
      <div className="start-ways">{ways}</div>
    </div>
  )
}

export function Step({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className="start-step" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {note && <p className="small faint">{note}</p>}
      </div>
      <div className="start-step-body">{children}</div>
    </section>
  )
}

interface QuestionProps {
  question: string
  guidelines: string
  error: string | undefined
  onChange: (change: { question?: string; guidelines?: string }) => void
}

/** What people are asked, and how to answer. */
export function QuestionFields({ question, guidelines, error, onChange }: QuestionProps) {
  const [isOpen] = useState(guidelines !== '')
  return (
    <>
      <TextField
        label={parts.asked}
        value={question}
        error={error}
        onChange={({ target }) => onChange({ question: target.value })}
      />
      <details className="start-more" open={isOpen}>
        <summary>{parts.addGuidelines}</summary>
        <TextArea
          label={parts.guidelines}
          hint={parts.guidelinesHint}
          rows={3}
          value={guidelines}
          onChange={({ target }) => onChange({ guidelines: target.value })}
        />
      </details>
    </>
  )
}

interface WhatToDoProps {
  kind: Inspection['recognised']['kind']
  does: 'check' | 'learn'
  onChoose: (does: 'check' | 'learn') => void
}

/** Checking what the file says, or teaching a model: one press away from each other. */
export function WhatToDo({ kind, does, onChoose }: WhatToDoProps) {
  const options = [
    { value: 'check', ...checkWords[kind] },
    { value: 'learn', ...learnWords },
  ] as const
  return (
    <div className="start-picks" role="radiogroup" aria-label={parts.whatToDo}>
      {options.map(({ value, title, about }) => (
        <label className="start-pick" key={value}>
          <input type="radio" name="does" checked={does === value} onChange={() => onChoose(value)} />
          <b>{title}</b>
          <span>{about}</span>
        </label>
      ))}
    </div>
  )
}

/** Focus goes to the first field that is wrong; a disclosure opens before it can go inside. */
export function showFirstProblem(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-problem]')
    const disclosure = field?.closest('details')
    if (disclosure) disclosure.open = true
    field?.focus()
    field?.scrollIntoView({ block: 'center' })
  })
}
